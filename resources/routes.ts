import { ROUTES } from '../.adonisjs/client/routes.js'

type Routes = typeof ROUTES
/** A route's name, as `node ace list:routes` shows it. */
export type RouteName = keyof Routes

/** `id` of `:id`, `:id?` and `:id.csv`. */
type WithoutSuffix<Text extends string> = Text extends `${infer Name}${'?' | '.'}${string}`
  ? Name
  : Text
type NamesIn<Pattern extends string> = Pattern extends `${string}:${infer Rest}`
  ? Rest extends `${infer First}/${infer Tail}`
    ? WithoutSuffix<First> | NamesIn<Tail>
    : WithoutSuffix<Rest>
  : never
type OptionalNamesIn<Pattern extends string> = Pattern extends `${string}:${infer Name}?`
  ? Name
  : never
type Value = string | number
type Query = Record<string, Value | null | undefined>

/** The values of a route's placeholders; a missing or unknown one does not compile. */
export type RouteParams<Name extends RouteName> = {
  [Key in Exclude<NamesIn<Routes[Name]>, OptionalNamesIn<Routes[Name]>>]: Value
} & { [Key in OptionalNamesIn<Routes[Name]>]?: Value }

type Arguments<Name extends RouteName> =
  {} extends RouteParams<Name>
    ? [params?: RouteParams<Name>, options?: { qs?: Query }]
    : [params: RouteParams<Name>, options?: { qs?: Query }]

/**
 * The URL of a named route, as the server's `urlFor` makes it:
 * `urlFor('back_office.order', { id }, { qs: { tab: 'tickets' } })`.
 * Entries of `qs` without a value are left out.
 */
export function urlFor<Name extends RouteName>(name: Name, ...given: Arguments<Name>): string {
  const [params, options] = given
  const values: Record<string, Value | undefined> = params ?? {}
  const path = ROUTES[name].replace(/\/?:(\w+)\??/g, (placeholder, key: string) => {
    const value = values[key]
    if (value === undefined) return ''
    return `${placeholder.startsWith('/') ? '/' : ''}${encodeURIComponent(value)}`
  })
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(options?.qs ?? {})) {
    if (value !== null && value !== undefined) query.set(key, String(value))
  }
  return query.size > 0 ? `${path}?${query}` : path
}

/** The beginning that all URLs of a route share: the pattern before its first placeholder. */
export const pathPrefix = (name: RouteName) => ROUTES[name].split('/:')[0]
