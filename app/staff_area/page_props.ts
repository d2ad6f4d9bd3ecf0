/**
 * Types between a controller and its page. A page's props are declared once, in `<page>_props.ts`, as the page
 * receives them: after JSON, where a moment is an ISO 8601 string and money is a number or text.
 */

/** A value before it becomes JSON: where the page reads a string, the server may still have a `Date`. */
type BeforeJson<Value> = string extends Value
  ? Value | Date
  : Value extends object
    ? { [Key in keyof Value]: BeforeJson<Value[Key]> }
    : Value

/** What `inertia.defer` and `inertia.optional` return: a page comes without the value, and asks for it in a request of its own. */
interface ReadOnRequest<Value> {
  compute: () => Value | PromiseLike<Value>
}

/**
 * A value, or how to read it. A page that asks for some of its props again runs the whole action, and calls the functions of these
 * props only: what costs a statement is a function.
 */
type Given<Value> = BeforeJson<Value> | (() => Promise<BeforeJson<Value>>)

/**
 * The props that a controller gives to a page. Those that are optional in the page are deferred or read on demand; none may be missing.
 * `inertia.defer` accepts type aliases only: an interface has no index signature.
 */
export type ServerProps<Page> = {
  [Name in keyof Page]-?: undefined extends Page[Name]
    ? ReadOnRequest<BeforeJson<Exclude<Page[Name], undefined>>>
    : Given<Page[Name]>
}

/** A line of a page as PostgreSQL returns it: the named moments are still `Date`. */
export type WithDates<Line, Moments extends keyof Line> = {
  [Name in keyof Line]: Name extends Moments ? Date | Exclude<Line[Name], string> : Line[Name]
}

/** What a page receives of a value of the core: JSON has no `Date`, and whole numbers of any size travel as text. */
export type Json<Value> = Value extends Date | bigint
  ? string
  : Value extends object
    ? { [Key in keyof Value]: Json<Value[Key]> }
    : Value
