import adonisjs from '@adonisjs/vite/client'
import ui from '@nuxt/ui/vite'
import vue from '@vitejs/plugin-vue'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

const resources = `${import.meta.dirname}/resources/`
const generated = `${import.meta.dirname}/.adonisjs/client/`

/** Compressed twins, so that nobody compresses while answering. */
function precompress(): Plugin {
  const twins = [
    ['.br', promisify(brotliCompress)],
    ['.gz', promisify(gzip)],
  ] as const
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir }, bundle) {
      for (const file of Object.values(bundle)) {
        if (!/\.(css|js|svg)$/.test(file.fileName)) continue
        const content = file.type === 'chunk' ? file.code : file.source
        for (const [suffix, compress] of twins) {
          await writeFile(`${dir}/${file.fileName}${suffix}`, await compress(content))
        }
      }
    },
  }
}

export default defineConfig({
  plugins: [
    vue(),
    ui({
      router: 'inertia',
      autoImport: false,
      components: false,
      icon: {
        clientBundle: { scan: { globInclude: ['resources/**/*.{vue,ts}'], globExclude: [] } },
      },
      ui: {
        colors: { primary: 'teal', neutral: 'slate' },
        // A long title must not run below the button that closes.
        modal: { slots: { wrapper: 'min-w-0 pe-10', title: 'break-words hyphens-auto' } },
        toast: { slots: { wrapper: 'min-w-0', title: 'wrap-anywhere' } },
      },
    }),
    adonisjs({
      entryPoints: [
        'resources/app.ts',
        'resources/reference/page.css',
        'resources/reference/page.ts',
      ],
      assets: { assets: ['resources/reference/icon.svg'] },
      reload: ['resources/views/**/*.edge'],
    }),
    precompress(),
  ],
  resolve: {
    alias: {
      '~/': resources,
    },
  },
  // The pages are drawn in the browser alone; a build for a server would overwrite theirs.
  builder: {
    async buildApp(builder) {
      await builder.build(builder.environments.client!)
    },
  },
  // All have light-dark(); rewritten for older ones it would not follow the theme of a part of a page.
  build: {
    // The charts are that large, and only their pages load them.
    chunkSizeWarningLimit: 700,
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
  },
  server: {
    // The rest of the repository holds programs, settings and, in tmp, keys of the sandbox.
    fs: { strict: true, allow: [resources, generated, `${import.meta.dirname}/node_modules`] },
    watch: { ignored: ['**/tmp/**', '**/build/**', '**/docs/**'] },
  },
})
