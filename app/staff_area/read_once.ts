/** For props of one page that need the same: the first that the page asks for reads it, the others get the same answer. */
export function readOnce<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let reading: Promise<Value> | undefined
  return () => (reading ??= read())
}
