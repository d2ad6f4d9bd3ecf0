import './css/app.css'
import { createInertiaApp, router } from '@inertiajs/vue3'
import ui from '@nuxt/ui/vue-plugin'
import { createApp, h, type DefineComponent } from 'vue'
import { askBeforeLeaving } from './drafts/leaving.js'
import Root from './root.vue'
import { showLanguage } from './texts/texts.js'
import type { Language } from './texts/texts.js'
import { followTheme } from './theme.js'

const pages = import.meta.glob<{ default: DefineComponent }>('./pages/**/*.vue')

followTheme((dark) => document.documentElement.classList.toggle('dark', dark))

askBeforeLeaving()

await createInertiaApp({
  resolve: async (name) => {
    const load = pages[`./pages/${name}.vue`]
    if (!load) throw new Error(`No page ${name}`)
    const { default: page } = await load()
    return page
  },
  title: (title) => (title ? `${title} · Ticket partners` : 'Ticket partners'),
  progress: { color: 'var(--ui-primary)' },
  async setup({ el, App, props, plugin }) {
    await showLanguage(props.initialPage.props.language as Language)
    router.on('beforeUpdate', ({ detail }) => showLanguage(detail.page.props.language as Language))
    createApp(() => h(Root, () => h(App, props)))
      .use(plugin)
      .use(ui)
      .mount(el!)
  },
})
