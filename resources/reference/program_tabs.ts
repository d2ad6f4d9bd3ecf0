const STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** Switches between the programs; the style sheet shows the first, and a link to another selects it. */
export function enableProgramTabs(programs: HTMLElement) {
  const tabs = [...programs.querySelectorAll<HTMLButtonElement>('[role=tab]')]
  const panels = [...programs.querySelectorAll<HTMLElement>('[role=tabpanel]')]
  const select = (at: number) => {
    tabs.forEach((tab, nth) => {
      tab.setAttribute('aria-selected', String(nth === at))
      tab.tabIndex = nth === at ? 0 : -1
    })
    panels.forEach((panel, nth) => panel.classList.toggle('selected', nth === at))
    programs.classList.add('chosen')
  }
  const selectLinked = () => {
    const at = panels.findIndex(({ id }) => `#${id}` === location.hash)
    if (at === -1) return
    select(at)
    programs.scrollIntoView()
  }

  programs.addEventListener('click', ({ target }) => {
    const at = tabs.indexOf(target as HTMLButtonElement)
    if (at !== -1) select(at)
  })
  programs.addEventListener('keydown', (event) => {
    const at = tabs.indexOf(event.target as HTMLButtonElement)
    const step = STEPS[event.key]
    if (at === -1 || !step) return
    event.preventDefault()
    const next = step(at, tabs.length)
    select(next)
    tabs[next]?.focus()
  })
  selectLinked()
  addEventListener('hashchange', selectLinked)
}
