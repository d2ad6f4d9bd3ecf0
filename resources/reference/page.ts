import { followContents } from './contents.js'
import { enableCopyButton } from './copy_buttons.js'
import { enableProgramTabs } from './program_tabs.js'
import { enableThemeSwitch } from './theme_switch.js'

const all = <E extends HTMLElement>(selector: string) => document.querySelectorAll<E>(selector)

all<HTMLButtonElement>('[data-theme-switch]').forEach(enableThemeSwitch)
all<HTMLButtonElement>('[data-copy]').forEach(enableCopyButton)
all('[data-programs]').forEach(enableProgramTabs)
all('[data-contents]').forEach(followContents)
