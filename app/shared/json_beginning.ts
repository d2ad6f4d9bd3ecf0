/**
 * The first `length` characters of a value that came as JSON. Every level of nesting prints a character, so the walk ends
 * after `length` levels at most: `JSON.stringify` would follow the sender's nesting until the stack is full.
 */
export function jsonBeginning(value: unknown, length: number): string {
  const room = (text: string) => length - text.length
  let text = ''

  const print = (part: unknown) => {
    if (Array.isArray(part)) printItems('[', part, ']', print)
    else if (typeof part === 'object' && part !== null) {
      printItems('{', Object.entries(part), '}', ([key, inner]) => {
        print(key)
        text += ':'
        print(inner)
      })
    } else text += typeof part === 'string' ? JSON.stringify(part.slice(0, length)) : String(part)
  }

  function printItems<Item>(
    open: string,
    items: Item[],
    close: string,
    each: (item: Item) => void
  ) {
    text += open
    for (const [index, item] of items.entries()) {
      if (room(text) <= 0) return
      if (index > 0) text += ','
      each(item)
    }
    text += close
  }

  print(value)
  return text.slice(0, length)
}
