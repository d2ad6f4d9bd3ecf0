const SHOWN_MS = 2000

/** One listener for the buttons of all listings. */
export function enableCopyButtons() {
  document.addEventListener('click', async ({ target }) => {
    if (!(target instanceof HTMLButtonElement) || !target.matches('.copy')) return
    const code = target.parentElement?.querySelector('code')
    if (!code) return
    const copied = await copy(code)
    target.textContent = copied ? 'Copied' : 'Press Ctrl+C'
    setTimeout(() => (target.textContent = 'Copy'), SHOWN_MS)
  })
}

/** Outside HTTPS and localhost there is no clipboard: the text is selected instead. */
async function copy(code: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(code.textContent ?? '')
    return true
  } catch {
    getSelection()?.selectAllChildren(code)
    return false
  }
}
