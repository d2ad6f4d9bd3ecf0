/** Whose money is at risk, party by party, in tenge. A case may concern several parties. */
export interface Exposure {
  /** Buyers were charged it and have neither tickets nor the money. */
  buyer: bigint
  /** Ours. */
  platform: bigint
  partner: bigint
}

export const EXPOSED_PARTIES = ['buyer', 'platform', 'partner'] as const
export type ExposedParty = (typeof EXPOSED_PARTIES)[number]

/** Whose money a finding is about, as it is stored. */
export type Party = Uppercase<ExposedParty> | 'NONE'

/** The same as pages get it. */
export type ExposureTenge = Record<ExposedParty, number>

export const NO_EXPOSURE: Readonly<Exposure> = { buyer: 0n, platform: 0n, partner: 0n }

export const isSameExposure = (one: Exposure, other: Exposure) =>
  EXPOSED_PARTIES.every((party) => one[party] === other[party])
