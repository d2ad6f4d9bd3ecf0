import { configApp } from '@adonisjs/eslint-config'
import { vue } from '@adonisjs/eslint-config/vue'

/** The preset looks for pages under `inertia/`; ours are under `resources/`. */
const pages = vue.map((block) =>
  block.name === 'AdonisJS Vue app overrides'
    ? {
        ...block,
        files: ['resources/**/*.{ts,vue}'],
        rules: {
          ...block.rules,
          // Prettier's business.
          'vue/html-self-closing': 'off',
          'vue/max-attributes-per-line': 'off',
          'vue/singleline-html-element-content-newline': 'off',
        },
      }
    : block
)

// `npm run format` checks the same files, and all others.
const unformatted = { rules: { 'prettier/prettier': 'off' } }

/** A literal that is spread for layout hides types from the compiler: `...{ a, b }`, `...[x, y]`. */
const SPREAD_LITERAL =
  'SpreadElement > :matches(ObjectExpression, ArrayExpression), SpreadElement > TSAsExpression > :matches(ObjectExpression, ArrayExpression)'

const noSpreadOfLiterals = {
  rules: {
    'no-restricted-syntax': [
      'error',
      {
        selector: SPREAD_LITERAL,
        message: 'Write the properties or items out (STYLE.md, Layout).',
      },
    ],
  },
}

export default configApp(...pages, unformatted, noSpreadOfLiterals, {
  ignores: [
    '.adonisjs/**',
    'build/**',
    'tmp/**',
    'public/**',
    'database/schema.ts',
    'database/guards.ts',
    'docs/api/examples/**',
  ],
})
