/** Text in the three languages of the venues; Russian is always there (contract, Conventions). */
export type LocalizedText = {
  ru: string
  kk?: string
  en?: string
}

/** A title is guaranteed in all three languages (contract, Event). */
export type FullyLocalizedText = Required<LocalizedText>
