import { followContents } from './contents.js'
import { enableCopyButtons } from './copy_buttons.js'
import { enableProgramTabs } from './program_tabs.js'
import { enableThemeSwitch } from './theme_switch.js'

const all = <E extends HTMLElement>(selector: string) => document.querySelectorAll<E>(selector)

all<HTMLButtonElement>('[data-theme-switch]').forEach(enableThemeSwitch)
enableCopyButtons()
all('[data-programs]').forEach(enableProgramTabs)
all('[data-contents]').forEach(followContents)
