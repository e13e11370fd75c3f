package io.weir.transport.nio;

import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Set;

/** A view of a set that elements can be removed from and not added to. */
final class RemovableSet<E> extends AbstractSet<E> {
    private final Set<E> all;

    RemovableSet(Set<E> all) {
        this.all = all;
    }

    @Override
    public Iterator<E> iterator() {
        return all.iterator();
    }

    @Override
    public int size() {
        return all.size();
    }

    @Override
    public boolean contains(Object element) {
        return all.contains(element);
    }

    @Override
    public boolean remove(Object element) {
        return all.remove(element);
    }

    @Override
    public void clear() {
        all.clear();
    }
}
