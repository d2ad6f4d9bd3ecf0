/** Adds a value to the list of its key, as `Map.groupBy` would, one value after another. */
export function appendTo<Key, Value>(groups: Map<Key, Value[]>, key: Key, value: Value) {
  const group = groups.get(key)
  if (group) group.push(value)
  else groups.set(key, [value])
}
