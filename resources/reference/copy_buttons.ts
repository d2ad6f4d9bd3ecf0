const TOLD_MS = 2000

export function enableCopyButton(button: HTMLButtonElement) {
  const code = button.parentElement?.querySelector('code')
  if (!code) return
  button.addEventListener('click', async () => {
    const copied = await copy(code)
    button.textContent = copied ? 'Copied' : 'Press Ctrl+C'
    setTimeout(() => (button.textContent = 'Copy'), TOLD_MS)
  })
  button.hidden = false
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
