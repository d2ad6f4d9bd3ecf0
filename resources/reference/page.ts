import { enableCopyButton } from './copy_buttons.js'
import { enableProgramTabs } from './program_tabs.js'
import { enableThemeSwitch } from './theme_switch.js'

const all = <E extends HTMLElement>(selector: string) => document.querySelectorAll<E>(selector)

all<HTMLButtonElement>('[data-theme-switch]').forEach(enableThemeSwitch)
all<HTMLButtonElement>('[data-copy]').forEach(enableCopyButton)
all('[data-programs]').forEach(enableProgramTabs)
all<HTMLDetailsElement>('[data-contents]').forEach(followContents)

/** On a narrow screen the contents fold away; beside the text they mark the section being read. */
function followContents(contents: HTMLDetailsElement) {
  const narrow = matchMedia('(max-width: 63.99rem)')
  const fold = () => (contents.open = !narrow.matches)
  fold()
  narrow.addEventListener('change', fold)

  const links = [...contents.querySelectorAll('a')]
  contents.addEventListener('click', ({ target }) => {
    if (narrow.matches && target instanceof HTMLAnchorElement) contents.open = false
  })
  const mark = () => {
    const read = links.findLast(({ hash }) => {
      const heading = document.getElementById(hash.slice(1))
      return heading !== null && heading.getBoundingClientRect().top < innerHeight / 4
    })
    links.forEach((link) => link.toggleAttribute('aria-current', link === read))
  }
  mark()
  addEventListener('scroll', mark, { passive: true })
}
