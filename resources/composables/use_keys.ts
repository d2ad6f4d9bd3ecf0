import { onMounted, onUnmounted } from 'vue'

const SEQUENCE_MS = 1_000

const isTyping = ({ target }: KeyboardEvent) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))

interface Keys {
  ask: () => void
  help: () => void
  go: (key: string) => void
  row: (key: RowKey) => void
  undo: () => void
}

/** `j` and `k` for the next and the previous row of a list, `x` to choose it. */
export type RowKey = 'j' | 'k' | 'x'
const isRowKey = (key: string): key is RowKey => ['j', 'k', 'x'].includes(key)

/** Menus and lists of choices take letters themselves. */
const isElsewhere = ({ target }: KeyboardEvent) =>
  target instanceof Element && target.closest('[role=dialog], [role=menu], [role=listbox]') !== null

/** `/` or Ctrl+K opens the command palette, `?` the list of keys; `g` and a letter goes to a section; `z` undoes what was just done. Ignored while somebody types. */
export function useKeys({ ask, help, go, row, undo }: Keys) {
  let began = -Infinity
  function press(event: KeyboardEvent) {
    const isAsking = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
    if (isAsking || (event.key === '/' && !isTyping(event))) {
      event.preventDefault()
      ask()
      return
    }
    if (event.key === '?' && !isTyping(event)) {
      event.preventDefault()
      help()
      return
    }
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return
    // The place of the key, not its letter: the layout may be Cyrillic.
    const key = event.code.replace('Key', '').toLowerCase()
    // When it was pressed, not when a busy page came to it.
    if (event.timeStamp - began < SEQUENCE_MS) go(key)
    else if (isRowKey(key) && !isElsewhere(event)) row(key)
    else if (key === 'z' && !isElsewhere(event)) undo()
    began = key === 'g' ? event.timeStamp : -Infinity
  }
  onMounted(() => addEventListener('keydown', press))
  onUnmounted(() => removeEventListener('keydown', press))
}
