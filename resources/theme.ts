export type Theme = 'system' | 'light' | 'dark'
export const THEMES: readonly Theme[] = ['system', 'light', 'dark']

const YEAR_SECONDS = 31_536_000
const page = document.documentElement
const systemIsDark = matchMedia('(prefers-color-scheme: dark)')

export function chosenTheme(): Theme {
  return (page.dataset.theme as Theme | undefined) ?? 'system'
}

/** Kept in a cookie, so that the server's first paint is right already. */
export function chooseTheme(theme: Theme) {
  if (theme === 'system') delete page.dataset.theme
  else page.dataset.theme = theme
  const seconds = theme === 'system' ? 0 : YEAR_SECONDS
  const secure = location.protocol === 'https:' ? '; secure' : ''
  document.cookie = `theme=${theme}; path=/; max-age=${seconds}; samesite=lax${secure}`
  dispatchEvent(new Event('themechange'))
}

/** Calls back now and whenever the page turns dark or light. */
export function followTheme(show: (dark: boolean) => void) {
  const update = () => {
    const theme = chosenTheme()
    show(theme === 'system' ? systemIsDark.matches : theme === 'dark')
  }
  addEventListener('themechange', update)
  systemIsDark.addEventListener('change', update)
  update()
}
