type ValueOf = (name: string, forms: string | undefined) => string

/**
 * Replaces `{name}` and `{name:form|form}` in a text. A value that ends with a stop, such as a short month, takes the place of
 * the stop behind it: `Дейін: {day}.` with `30 қыр.` is `Дейін: 30 қыр.`.
 */
export const fillText = (text: string, valueOf: ValueOf) =>
  text.replace(
    /\{(\w+)(?::([^{}]*))?\}(\.?)/g,
    (_, name: string, forms: string | undefined, stop: string) => {
      const value = valueOf(name, forms)
      return value.endsWith('.') ? value : value + stop
    }
  )
