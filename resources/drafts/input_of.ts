import { computed, type Ref } from 'vue'
import type { Input } from '~/drafts/keep'

/** The values of several refs as one, for `v-model:input` of a dialog. */
export const inputOf = (refs: Record<string, Ref<any>>) =>
  computed<Input>({
    get: () => Object.fromEntries(Object.entries(refs).map(([name, { value }]) => [name, value])),
    set: (input) => {
      for (const [name, ref] of Object.entries(refs)) if (name in input) ref.value = input[name]
    },
  })

/** Sets the fields of a form that a draft has, and that this part of the form has. */
export function fillFrom(part: object, input: Input) {
  for (const name of Object.keys(part))
    if (name in input) Object.assign(part, { [name]: input[name] })
}
