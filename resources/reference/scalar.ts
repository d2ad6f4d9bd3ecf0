import { createApiReference } from '@scalar/api-reference'
import { followTheme } from '../theme.js'

const element = document.querySelector<HTMLElement>('#reference')!

/** Nothing leaves the page: no proxy, no telemetry, no fonts or assistants from elsewhere. */
const configuration = {
  url: element.dataset.document!,
  theme: 'none',
  layout: 'modern',
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  // A call must be signed with the secret, which has no business in a browser.
  hideTestRequestButton: true,
  hideClientButton: true,
  hideDarkModeToggle: true,
  documentDownloadType: 'json',
  defaultOpenAllTags: true,
  persistAuth: false,
  metaData: { title: document.title },
} as const

let reference: ReturnType<typeof createApiReference> | undefined
followTheme((dark) => {
  const shown = { ...configuration, forceDarkModeState: dark ? 'dark' : 'light' } as const
  if (reference) reference.updateConfiguration(shown)
  else reference = createApiReference(element, shown)
})
