/**
 * Sources whose payment ids are known to be those of confirms, and whether their registers show all sales or a part of them. Of two
 * that show all, each has the same sale once more; one that shows a part shows what the others do not.
 */
export type SourcesSharingIds = ReadonlyMap<string, 'all' | 'part'>

/** What confirmed registers of a source show. */
export interface SourceCounts {
  source: string
  /** A person has said that it numbers payments itself. */
  numbersItself: boolean
  /** Charges with a payment id, and those of them whose id any confirm names. */
  chargesWithId: number
  chargesWithIdOfConfirms: number
  /** Orders that it has to show as charged, and does not. */
  missingOrders: number
}

/** Of two sources that split the sales one lacks at least half; a quarter also finds one of several, and unequal ones. */
const LEAST_PART_MISSING = 0.25
/** Fewer orders may be missing by mistake. */
const LEAST_MISSING = 3

/**
 * Example: 100 sales; cards have 90 of them, and wallets 10 and the second charge of a card's sale
 *     cards    90 of 90 ids are those of confirms, 10 of 100 orders are missing    shares ids, shows all
 *     wallets  10 of 11 ids are those of confirms, 89 of 100 orders are missing    shares ids, shows a part
 *     a bank   0 of 90 ids are those of confirms                                   not known to share ids
 */
export const sourcesSharingIds = (counted: SourceCounts[]): SourcesSharingIds =>
  new Map(
    counted
      .filter(isKnownToShare)
      .map((one) => [one.source, lacksAPart(one) ? ('part' as const) : ('all' as const)])
  )

const isKnownToShare = ({ numbersItself, chargesWithId, chargesWithIdOfConfirms }: SourceCounts) =>
  !numbersItself && chargesWithId > 0 && chargesWithIdOfConfirms * 2 >= chargesWithId

const lacksAPart = ({ chargesWithId, missingOrders }: SourceCounts) =>
  missingOrders >= LEAST_MISSING &&
  missingOrders >= (chargesWithId + missingOrders) * LEAST_PART_MISSING
