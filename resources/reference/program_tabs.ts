const STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** Turns the programs, shown one under the other without scripts, into tabs; a link to one selects it. */
export function enableProgramTabs(programs: HTMLElement) {
  const panels = [...programs.querySelectorAll<HTMLElement>('[data-program]')]
  const tabs = panels.map(tabOf)
  const select = (at: number) => {
    tabs.forEach((tab, nth) => {
      tab.setAttribute('aria-selected', String(nth === at))
      tab.tabIndex = nth === at ? 0 : -1
    })
    panels.forEach((panel, nth) => panel.classList.toggle('unselected', nth !== at))
  }
  const selectLinked = () => {
    const at = panels.findIndex(({ id }) => `#${id}` === location.hash)
    if (at === -1) return
    select(at)
    panels[at]?.scrollIntoView()
  }

  const list = document.createElement('div')
  list.className = 'tabs'
  list.setAttribute('role', 'tablist')
  list.setAttribute('aria-label', 'Language')
  list.append(...tabs)
  list.addEventListener('click', ({ target }) => {
    const at = tabs.indexOf(target as HTMLButtonElement)
    if (at !== -1) select(at)
  })
  list.addEventListener('keydown', (event) => {
    const step = STEPS[event.key]
    if (!step) return
    event.preventDefault()
    const at = step(tabs.indexOf(event.target as HTMLButtonElement), tabs.length)
    select(at)
    tabs[at]?.focus()
  })

  programs.prepend(list)
  programs.classList.add('tabbed')
  select(0)
  selectLinked()
  addEventListener('hashchange', selectLinked)
}

function tabOf(panel: HTMLElement): HTMLButtonElement {
  const tab = document.createElement('button')
  tab.type = 'button'
  tab.id = `${panel.id}-tab`
  tab.textContent = panel.dataset.program ?? ''
  tab.setAttribute('role', 'tab')
  tab.setAttribute('aria-controls', panel.id)
  panel.setAttribute('role', 'tabpanel')
  panel.setAttribute('aria-labelledby', tab.id)
  return tab
}
