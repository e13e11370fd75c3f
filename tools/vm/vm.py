#!/usr/bin/env python3
"""Runs a script in a throw-away virtual machine with a kernel and network devices of one's choice.

Kernels, the root file system and the JRE are Debian's packages, fetched by apt and unpacked, never installed. QEMU
emulates the processor in software, so it works where there is no KVM. README.md has the rest.
"""
import argparse
import fcntl
import lzma
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT_PACKAGES = """base-files bash coreutils dash grep sed gawk findutils util-linux mount procps hostname libc-bin kmod
 diffutils iproute2 ethtool iputils-ping netcat-openbsd socat tcpdump bpftool psmisc libcap2-bin""".split()
# Those that a kernel has built in are none of its modules, and passed over.
EARLY_MODULES = ["virtio_pci", "virtio_blk", "ext4", "overlay", "virtio_console"]
# Their virtual functions take slots of the bus that they are on, so each gets a bus.
BEHIND_ROOT_PORT = ["igb"]
ARCHES = {
    "amd64": dict(qemu="qemu-system-x86_64", machine="q35", cpu="max", console="ttyS0", triple="x86_64-linux-gnu"),
    "arm64": dict(qemu="qemu-system-aarch64", machine="virt,gic-version=3", cpu="max,pauth-impdef=on",
                  console="ttyAMA0", triple="aarch64-linux-gnu"),
}

INITRD_INIT = r"""#!/bin/busybox sh
/bin/busybox mkdir -p /proc /sys /dev /lower /over /new
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t sysfs sys /sys
/bin/busybox mount -t devtmpfs dev /dev
for module in $(/bin/busybox cat /load-order); do /bin/busybox insmod /modules/$module; done
for i in 1 2 3 4 5 6 7 8 9 10; do [ -b /dev/vdc ] && break; /bin/busybox sleep 1; done
/bin/busybox mount -t ext4 -o ro /dev/vda /lower
/bin/busybox mount -t tmpfs tmpfs /over
/bin/busybox mkdir -p /over/up /over/work
/bin/busybox mount -t overlay -o lowerdir=/lower,upperdir=/over/up,workdir=/over/work overlay /new
/bin/busybox mkdir -p /new/usr/lib/modules /new/job
/bin/busybox mount -t ext4 -o ro /dev/vdb /new/usr/lib/modules
/bin/busybox mount -t ext4 /dev/vdc /new/job
exec /bin/busybox switch_root /new /job/.init
echo "weir-vm: the root could not be entered"; /bin/busybox poweroff -f
"""

GUEST_INIT = r"""#!/bin/bash
echo "weir-vm: entered the root"
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb LC_ALL=C.UTF-8
mkdir -p /proc /sys /dev /run /tmp
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev 2>/dev/null
mkdir -p /dev/pts /dev/shm; mount -t devpts devpts /dev/pts; mount -t tmpfs tmpfs /dev/shm
mount -t tmpfs tmpfs /run; mount -t tmpfs tmpfs /tmp
mount -t bpf bpf /sys/fs/bpf; mount -t debugfs debugfs /sys/kernel/debug 2>/dev/null
mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null
ldconfig; hostname weir-vm
ln -sf "$(ls -d /usr/lib/jvm/java-*/bin/java 2>/dev/null | sort -V | tail -1)" /usr/bin/java
for bus in pci virtio; do
  for alias in /sys/bus/$bus/devices/*/modalias; do modprobe -q -b "$(cat "$alias")"; done
done
udev_less=$(ls /sys/class/virtio-ports 2>/dev/null | head -1)
ip link set lo up
echo "weir-vm: starting the script"
port=/dev/${udev_less:-console}
cd /job
{ bash ./.script </dev/null; echo "weir-vm-exit: $?"; } >"$port" 2>&1
sync; sleep 0.2
umount /job
echo o >/proc/sysrq-trigger; sleep 60
"""


def say(text):
    print("vm: " + text, file=sys.stderr, flush=True)


def call(*command, env=None, cwd=None, stdin=None):
    done = subprocess.run(command, env=env, cwd=cwd, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        sys.exit("vm: %s failed:\n%s" % (" ".join(map(str, command)), done.stdout.decode(errors="replace")[-3000:]))
    return done.stdout.decode(errors="replace")


class Apt:
    """An apt of our own: other releases and architectures, nothing of it on this machine's own apt."""

    def __init__(self, cache, arch, suite):
        self.dir = cache / "apt" / ("%s-%s" % (suite, arch))
        self.env = dict(os.environ, APT_CONFIG=str(self.dir / "apt.conf"))
        if not (self.dir / "ready").exists():
            self.prepare(arch, suite)

    def prepare(self, arch, suite):
        for name in ("lists/partial", "cache/archives/partial", "etc"):
            (self.dir / name).mkdir(parents=True, exist_ok=True)
        (self.dir / "status").touch()
        sites = call("apt-get", "indextargets", "--format", "$(SITE) $(RELEASE) $(SIGNED_BY)",
                     "Created-By: Packages", "Origin: Debian").splitlines()
        main = [s.split() for s in sites if s and not s.split()[1].endswith("-security")]
        security = [s.split() for s in sites if s and s.split()[1].endswith("-security")]
        if not main:
            sys.exit("vm: apt knows no Debian archive here; run: apt-get update")
        base = suite.split("-")[0]
        lines = []
        signed = "[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]"
        lines.append("deb %s %s %s main" % (signed, main[0][0], base))
        if suite != base:
            lines.append("deb %s %s %s main" % (signed, main[0][0], suite))
        if security:
            lines.append("deb %s %s %s-security main" % (signed, security[0][0], base))
        (self.dir / "etc/sources.list").write_text("\n".join(lines) + "\n")
        (self.dir / "apt.conf").write_text("""
Dir::Etc "%(d)s/etc"; Dir::Etc::sourcelist "%(d)s/etc/sources.list"; Dir::Etc::sourceparts "-";
Dir::Etc::trustedparts "/etc/apt/trusted.gpg.d"; Dir::State "%(d)s"; Dir::State::lists "%(d)s/lists";
Dir::State::status "%(d)s/status"; Dir::Cache "%(d)s/cache"; APT::Sandbox::User "root"; Acquire::Languages "none";
APT::Architecture "%(a)s"; APT::Architectures { "%(a)s"; }; APT::Install-Recommends "false";
APT::Default-Release "%(s)s";
""" % dict(d=self.dir, a=arch, s=suite))
        call("apt-get", "-qq", "update", env=self.env)
        (self.dir / "ready").touch()

    def versions(self, pattern):
        found = call("apt-cache", "search", "--names-only", pattern, env=self.env)
        return sorted(line.split()[0] for line in found.splitlines() if line)

    def depends(self, package):
        return call("apt-cache", "depends", package, env=self.env)

    def download(self, packages, into):
        """Fetches these packages and all that they depend on; returns their files."""
        (into / "partial").mkdir(parents=True, exist_ok=True)
        command = ["apt-get", "-qq", "-o", "Dir::Cache::archives=%s/" % into, "install", "--download-only", "-y",
                   *packages]
        # The lists may be older than what the archive still has.
        if subprocess.run(command, env=self.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0:
            call("apt-get", "-qq", "update", env=self.env)
            call(*command, env=self.env)
        return sorted(into.glob("*.deb"))


def unpack(files, target):
    for name in ("bin", "sbin", "lib", "lib64"):
        (target / "usr" / name).mkdir(parents=True, exist_ok=True)
        if not (target / name).is_symlink():
            (target / name).symlink_to("usr/" + name)
    for file in files:
        content = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", file], stdout=subprocess.PIPE)
        call_tar = subprocess.run(["tar", "-x", "-C", target, "--keep-directory-symlink", "--no-same-owner"],
                                  stdin=content.stdout, stderr=subprocess.PIPE)
        if content.wait() != 0 or call_tar.returncode != 0:
            sys.exit("vm: cannot unpack %s: %s" % (file.name, call_tar.stderr.decode()))


def make_image(folder, image, spare_mib):
    used = int(call("du", "-sm", "--apparent-size", folder).split()[0])
    files = sum(len(f) + len(d) for _, d, f in os.walk(folder))
    size = int(used * 1.12 + files * 0.005) + spare_mib
    part = image.with_suffix(".part")
    part.unlink(missing_ok=True)
    call("mke2fs", "-q", "-t", "ext4", "-O", "none,extent,filetype,sparse_super,dir_index", "-I", "256", "-m", "0",
         "-E", "root_owner=0:0", "-d", folder, part, "%dM" % size)
    part.rename(image)


def make_root(cache, arch, suite, packages):
    image = cache / ("root-%s-%s.ext4" % (suite, arch))
    listed = image.with_suffix(".packages")
    wanted = " ".join(sorted(set(ROOT_PACKAGES + packages)))
    if image.exists() and listed.exists() and listed.read_text() == wanted:
        return image
    say("making the root file system of %s, %s" % (suite, arch))
    with tempfile.TemporaryDirectory(dir=cache) as temporary:
        root = Path(temporary) / "root"
        unpack(Apt(cache, arch, suite).download(wanted.split(), Path(temporary) / "debs"), root)
        for name in ("proc", "sys", "dev", "run", "tmp", "job", "usr/lib/modules", "etc"):
            (root / name).mkdir(parents=True, exist_ok=True)
        for name in ("usr/share/doc", "usr/share/man", "usr/share/locale"):
            shutil.rmtree(root / name, ignore_errors=True)
        (root / "etc/passwd").write_text("root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534::/:/bin/false\n")
        (root / "etc/group").write_text("root:x:0:\nnogroup:x:65534:\n")
        (root / "etc/hosts").write_text("127.0.0.1 localhost weir-vm\n")
        (root / "etc/ld.so.conf").write_text("/usr/lib/%s\n" % ARCHES[arch]["triple"])
        (root / "usr/bin/sh").unlink(missing_ok=True)
        (root / "usr/bin/sh").symlink_to("dash")
        (root / "usr/bin/awk").unlink(missing_ok=True)
        (root / "usr/bin/awk").symlink_to("gawk")
        for nc in (root / "usr/bin/nc", ):
            if not nc.exists():
                nc.symlink_to("nc.openbsd")
        make_image(root, image, 32)
    listed.write_text(wanted)
    return image


def make_qemu(cache, suite, arch):
    """An emulator of another release, with all that it needs, unpacked; returns how to call it."""
    folder = cache / ("qemu-%s-%s" % (suite, arch))
    host = call("dpkg", "--print-architecture").strip()
    triple = ARCHES[host]["triple"]
    program = ARCHES[arch]["qemu"]
    if not (folder / "ready").exists():
        say("fetching QEMU of %s" % suite)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        packages = {"amd64": ["qemu-system-x86", "seabios"], "arm64": ["qemu-system-arm"]}[arch]
        with tempfile.TemporaryDirectory(dir=cache) as temporary:
            chosen = [name + "/" + suite if name.startswith("qemu-system") else name for name in packages]
            unpack(Apt(cache, host, suite).download(chosen, Path(temporary) / "debs"), folder)
        (folder / "ready").touch()
    libraries = "%s:%s/%s" % (folder / "usr/lib" / triple, folder / "usr/lib", "pulseaudio")
    roms = []
    for name in ("qemu", "seabios"):
        if (folder / "usr/share" / name).is_dir():
            roms += ["-L", str(folder / "usr/share" / name)]
    loader = next((folder / "usr/lib" / triple).glob("ld-linux-*.so.*"))
    return [str(loader), "--library-path", libraries, str(folder / "usr/bin" / program), *roms]


def kernel_package(apt, name):
    """What to unpack: a metapackage's newest kernel, or the name itself."""
    if re.match(r"linux-image-\d", name) and not re.match(r"linux-image-\d+\.\d+-", name):
        return name
    found = re.findall(r"Depends: (linux-image-\d\S+)", apt.depends(name))
    if not found:
        sys.exit("vm: %s has no kernel behind it; known: %s" % (name, " ".join(apt.versions("^linux-image-"))))
    return found[0]


def make_kernel(cache, arch, suite, name):
    folder = cache / ("kernel-%s-%s-%s" % (suite, arch, name))
    if (folder / "ready").exists():
        return folder
    apt = Apt(cache, arch, suite)
    package = kernel_package(apt, name)
    say("fetching %s" % package)
    shutil.rmtree(folder, ignore_errors=True)
    tree = folder / "tree"
    tree.mkdir(parents=True)
    with tempfile.TemporaryDirectory(dir=cache) as temporary:
        files = apt.download([package], Path(temporary) / "kernel")
        files += Apt(cache, arch, "bookworm").download(["busybox-static"], Path(temporary) / "busybox")
        unpack([f for f in files if re.match(r"linux-(image|binary|modules)-|busybox-", f.name)], tree)
    modules = next((tree / "usr/lib/modules").iterdir())
    kernels = [*tree.glob("boot/vmlinu[xz]-*"), modules / "vmlinuz"]
    shutil.copy(next(file for file in kernels if file.exists()), folder / "vmlinuz")
    for unneeded in ("sound", "drivers/gpu", "drivers/media", "drivers/staging", "drivers/infiniband", "drivers/scsi",
                     "drivers/net/wireless", "drivers/iio", "drivers/usb", "drivers/hwmon", "drivers/input"):
        shutil.rmtree(modules / "kernel" / unneeded, ignore_errors=True)
    call("depmod", "-b", tree, modules.name)
    make_initrd(tree, modules.name, folder / "initrd")
    make_image(tree / "usr/lib/modules", folder / "modules.ext4", 16)
    shutil.rmtree(tree)
    (folder / "version").write_text(modules.name)
    (folder / "ready").touch()
    return folder


def make_initrd(tree, version, target):
    order = []
    for module in EARLY_MODULES:
        done = subprocess.run(["modprobe", "-d", tree, "-S", version, "--show-depends", module],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for line in done.stdout.decode().splitlines():
            if line.startswith("insmod ") and line.split()[1] not in order:
                order.append(line.split()[1])
    with tempfile.TemporaryDirectory() as temporary:
        base = Path(temporary)
        (base / "bin").mkdir()
        (base / "modules").mkdir()
        shutil.copy(tree / "usr/bin/busybox", base / "bin/busybox")
        names = []
        for file in map(Path, order):
            content = file.read_bytes()
            if file.suffix == ".xz":
                content = lzma.decompress(content)
            elif file.suffix == ".zst":
                content = subprocess.run(["zstd", "-dc", file], stdout=subprocess.PIPE, check=True).stdout
            names.append(file.name.split(".ko")[0] + ".ko")
            (base / "modules" / names[-1]).write_bytes(content)
        (base / "load-order").write_text("\n".join(names) + "\n")
        (base / "init").write_text(INITRD_INIT)
        os.chmod(base / "init", 0o755)
        listing = "\n".join(str(p.relative_to(base)) for p in sorted(base.rglob("*"))) + "\n"
        archive = subprocess.run(["cpio", "-o", "-H", "newc", "--quiet"], cwd=base, input=listing.encode(),
                                 stdout=subprocess.PIPE, check=True).stdout
        target.write_bytes(archive)


class Link:
    """Two devices joined to each other, as --link describes them: MODEL[,OPTION...][@QUEUES]."""

    def __init__(self, text):
        self.model, self.is_tapped, queues = text.partition("@")
        if self.is_tapped and not queues.isdigit():
            sys.exit("vm: --link %s: after @ stands how many queues each device has" % text)
        self.queues = int(queues) if self.is_tapped else 1
        self.name = self.model.split(",")[0]


class Wires:
    """Joins devices two by two: by a hub inside QEMU, or by tap devices in a network namespace of this run."""

    def __init__(self, links):
        self.links = links
        self.namespace = "weir-vm-%d" % os.getpid() if any(link.is_tapped for link in links) else None

    def __enter__(self):
        if self.namespace:
            call("ip", "netns", "add", self.namespace)
            self.here("sysctl", "-qw", "net.ipv6.conf.all.disable_ipv6=1", "net.ipv6.conf.default.disable_ipv6=1")
        return self

    def __exit__(self, *_):
        if self.namespace:
            subprocess.run(["ip", "netns", "del", self.namespace])

    def here(self, *command):
        call("ip", "netns", "exec", self.namespace, *command)

    def command(self):
        return ["ip", "netns", "exec", self.namespace] if self.namespace else []

    def arguments(self):
        arguments = []
        for i, link in enumerate(self.links):
            if link.is_tapped:
                self.here("ip", "link", "add", "br%d" % i, "mtu", "9216", "type", "bridge")
                self.here("ip", "link", "set", "br%d" % i, "up")
            for side in (0, 1):
                arguments += self.device(i, link, side)
        return arguments

    def device(self, i, link, side):
        name = "n%d%s" % (i, "ab"[side])
        if link.is_tapped:
            tap = "tap" + name
            multi = ["multi_queue"] if link.queues > 1 else []
            self.here("ip", "tuntap", "add", "mode", "tap", "name", tap, "vnet_hdr", *multi)
            self.here("ip", "link", "set", tap, "mtu", "9216", "master", "br%d" % i, "up")
            many = ",queues=%d" % link.queues if link.queues > 1 else ""
            arguments = ["-netdev", "tap,id=%s,ifname=%s,script=no,downscript=no,vhost=off%s" % (name, tap, many)]
        else:
            arguments = ["-netdev", "hubport,id=%s,hubid=%d" % (name, i)]
        place = ""
        if link.name in BEHIND_ROOT_PORT:
            arguments += ["-device", "pcie-root-port,id=port-%s,chassis=%d" % (name, 2 * i + side + 1)]
            place = ",bus=port-" + name
        many = ",mq=on,vectors=%d" % (2 * link.queues + 2) if link.queues > 1 else ""
        mac = "52:54:00:00:%02x:%02x" % (i, side + 1)
        # Nothing boots from the network: no ROM, which would be one more package.
        return arguments + ["-device", "%s,netdev=%s,mac=%s,romfile=%s%s" % (link.model, name, mac, many, place)]


def make_job(folder, script, share, image, spare_mib):
    job = folder / "job"
    job.mkdir()
    for item in share:
        item = Path(item)
        if item.is_dir():
            shutil.copytree(item, job / item.name, symlinks=True)
        else:
            shutil.copy(item, job / item.name)
    shutil.copy(script, job / ".script")
    (job / ".init").write_text(GUEST_INIT)
    os.chmod(job / ".init", 0o755)
    (job / "out").mkdir(exist_ok=True)
    make_image(job, image, spare_mib)


def prepare(options):
    """Makes what is not in the cache yet; returns the kernel's folder, the root's image and how to call QEMU."""
    cache = Path(options.cache)
    cache.mkdir(parents=True, exist_ok=True)
    suite, _, name = options.kernel.partition("/")
    with open(cache / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        kernel = make_kernel(cache, options.arch, suite, name or "linux-image-" + options.arch)
        root = make_root(cache, options.arch, options.root_suite, options.package)
        if options.qemu_suite:
            return kernel, root, make_qemu(cache, options.qemu_suite, options.arch)
    return kernel, root, [ARCHES[options.arch]["qemu"]]


def run(options):
    kernel, root, qemu = prepare(options)
    say("kernel %s" % (kernel / "version").read_text())
    if options.prepare:
        return 0
    arch = ARCHES[options.arch]
    links = [Link(text) for text in options.link]
    with tempfile.TemporaryDirectory(dir=options.cache) as temporary, Wires(links) as wires:
        folder = Path(temporary)
        job = folder / "job.ext4"
        make_job(folder, options.script, options.share, job, 64)
        console = Path(options.console) if options.console else folder / "console.log"
        command = wires.command() + qemu + [
            "-machine", arch["machine"], "-accel", "tcg,thread=multi",
            "-cpu", arch["cpu"], "-smp", str(options.cpus), "-m", options.memory, "-nodefaults",
            "-no-reboot", "-display", "none", "-serial", "file:%s" % console,
            "-kernel", str(kernel / "vmlinuz"), "-initrd", str(kernel / "initrd"),
            "-append", "console=%s quiet loglevel=4 panic=-1 no_timer_check nowatchdog net.ifnames=0 %s"
            % (arch["console"], options.append),
            "-drive", "if=none,id=root,format=raw,snapshot=on,file=%s" % root, "-device", "virtio-blk-pci,drive=root",
            "-drive", "if=none,id=mod,format=raw,snapshot=on,file=%s" % (kernel / "modules.ext4"),
            "-device", "virtio-blk-pci,drive=mod",
            "-drive", "if=none,id=job,format=raw,file=%s" % job, "-device", "virtio-blk-pci,drive=job",
            "-device", "virtio-serial-pci", "-chardev", "stdio,id=out,signal=off",
            "-device", "virtserialport,chardev=out,name=out"]
        status = follow(command + wires.arguments(), options.timeout, console)
        if options.out:
            Path(options.out).mkdir(parents=True, exist_ok=True)
            call("debugfs", "-R", "rdump /out %s" % options.out, job)
    return status


def follow(command, timeout, console):
    """Passes on what the script prints; its exit status is the last line, which is not printed."""
    started = time.monotonic()
    machine = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    watchdog = threading.Timer(timeout, machine.kill)
    watchdog.start()
    status = None
    try:
        for raw in machine.stdout:
            line = raw.decode(errors="replace").rstrip("\r\n")
            if line.startswith("weir-vm-exit: "):
                status = int(line.split()[1])
            else:
                print(line, flush=True)
        machine.wait()
    finally:
        late = not watchdog.is_alive()
        watchdog.cancel()
        if machine.poll() is None:
            machine.kill()
    say("%.0f s" % (time.monotonic() - started))
    if status is None:
        text = console.read_text(errors="replace") if console.exists() else ""
        say("%s; the end of the console:\n%s" % ("stopped after %d s" % timeout if late else "it ended by itself",
                                                text[-3000:]))
        return 124 if late else 125
    return status


def main():
    parser = argparse.ArgumentParser(description="Runs a script in a throw-away virtual machine.")
    parser.add_argument("script", nargs="?", help="for bash in the machine, as root, in /job")
    parser.add_argument("--prepare", action="store_true", help="only fetch what the run would need")
    parser.add_argument("--kernel", default="bookworm",
                        help="SUITE[/PACKAGE]: bookworm, trixie-backports/linux-image-cloud-amd64, ...")
    parser.add_argument("--arch", choices=sorted(ARCHES), default="amd64")
    parser.add_argument("--link", action="append", default=[], metavar="MODEL[,OPTION...][@QUEUES]",
                        help="two network devices joined to each other: eth0 and eth1, the next link eth2 and eth3;"
                             " with @ by tap devices, which have so many queues and offloads, and need root")
    parser.add_argument("--share", action="append", default=[], help="file or folder to have in /job")
    parser.add_argument("--out", help="folder that gets what the script leaves in /job/out")
    parser.add_argument("--package", action="append", default=["openjdk-17-jre-headless"],
                        help="a package that the root has besides")
    parser.add_argument("--root-suite", default="bookworm")
    parser.add_argument("--cpus", type=int, default=2)
    parser.add_argument("--memory", default="3G")
    parser.add_argument("--timeout", type=int, default=600, help="seconds")
    parser.add_argument("--console", help="file for the kernel's messages")
    parser.add_argument("--append", default="", help="more of the kernel's command line")
    parser.add_argument("--qemu-suite", help="the release that QEMU comes from; by default the one that is installed")
    parser.add_argument("--cache", default=os.environ.get("WEIR_VM_CACHE",
                                                          str(Path.home() / ".cache/weir-vm")))
    options = parser.parse_args()
    if not options.script and not options.prepare:
        parser.error("a script is needed, or --prepare")
    # So that a stop from outside takes the machine, its wires and its files away too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.exit(run(options))


if __name__ == "__main__":
    main()
