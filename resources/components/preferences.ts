import { router } from '@inertiajs/vue3'
import type { DropdownMenuItem } from '@nuxt/ui/components/DropdownMenu.vue'
import { shallowRef } from 'vue'
import { urlFor } from '~/routes'
import { LANGUAGES, language, t } from '~/texts/texts'
import { THEMES, chooseTheme, chosenTheme, type Theme } from '~/theme'

export const LANGUAGE_NAMES = { ru: 'Русский', kk: 'Қазақша', en: 'English' }
const THEME_ICONS = { system: 'i-lucide-monitor', light: 'i-lucide-sun', dark: 'i-lucide-moon' }

const theme = shallowRef<Theme>(chosenTheme())

/** The server keeps the language, with the person or with the session. */
export const languageItems = (): DropdownMenuItem[] =>
  LANGUAGES.map((code) => ({
    label: LANGUAGE_NAMES[code],
    type: 'checkbox' as const,
    checked: code === language.value,
    onSelect: () =>
      router.put(urlFor('back_office.language'), { language: code }, { preserveScroll: true }),
  }))

export const themeItems = (): DropdownMenuItem[] =>
  THEMES.map((choice) => ({
    label: t(`shell.themes.${choice}`),
    icon: THEME_ICONS[choice],
    type: 'checkbox' as const,
    checked: choice === theme.value,
    onSelect: () => {
      chooseTheme(choice)
      theme.value = choice
    },
  }))
