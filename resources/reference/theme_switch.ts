import { chosenTheme, chooseTheme, type Theme } from '../theme.js'

const NEXT: Record<Theme, Theme> = { system: 'dark', dark: 'light', light: 'system' }
const NAMES: Record<string, Record<Theme, string>> = {
  ru: { system: 'как в системе', light: 'светлая', dark: 'тёмная' },
  kk: { system: 'жүйедегідей', light: 'ашық', dark: 'қараңғы' },
  en: { system: 'as the system', light: 'light', dark: 'dark' },
}

export function enableThemeSwitch(button: HTMLButtonElement) {
  const label = button.getAttribute('aria-label')
  const names = NAMES[document.documentElement.lang] ?? NAMES.en!
  const showState = () => {
    const text = `${label}: ${names[chosenTheme()]}`
    button.setAttribute('aria-label', text)
    button.title = text
  }
  button.addEventListener('click', () => {
    chooseTheme(NEXT[chosenTheme()])
    showState()
  })
  showState()
  button.hidden = false
}
