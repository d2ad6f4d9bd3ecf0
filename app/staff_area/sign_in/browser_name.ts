const LONGEST = 60

// The first that fits: Edge and Opera call themselves Chrome as well, and Chrome calls itself Safari.
const BROWSERS = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/YaBrowser\//, 'Yandex'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const
const SYSTEMS = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
] as const

/** `Chrome, Windows`: enough to know one's own browsers apart. */
export function browserName(userAgent = ''): string {
  const nameIn = (names: readonly (readonly [RegExp, string])[]) =>
    names.find(([pattern]) => pattern.test(userAgent))?.[1]
  const known = [nameIn(BROWSERS), nameIn(SYSTEMS)].filter(Boolean).join(', ')
  return known || userAgent.slice(0, LONGEST) || '?'
}
