/** Whose money a finding is about. */
export type Party = 'BUYER' | 'PLATFORM' | 'PARTNER' | 'NONE'
