import { statement } from '#shared/statement'

/** Our own details in documents of settlement. */
export interface Issuer {
  legalName: string
  /** Kazakh business identification number (БИН), 12 digits. */
  bin: string
  address: string | null
  /** The place of an act: `Алматы`. */
  city: string | null
  /** Who signs for us: name and position. */
  signatory: string | null
}

export interface IssuerRow extends Issuer {
  id: number
  setBy: string
  setAt: Date
}

const COLUMNS = `id, legal_name AS "legalName", bin, address, city, signatory, set_by AS "setBy", set_at AS "setAt"`

/**
 * The details that a document of a moment has: those in force then. A statement from before they were first set has the
 * first ones.
 */
export const findIssuerAt = statement<IssuerRow, { at: Date }>(
  'settlement_issuer_at',
  `(SELECT ${COLUMNS} FROM settlement_issuers WHERE set_at <= :at ORDER BY id DESC LIMIT 1)
   UNION ALL (SELECT ${COLUMNS} FROM settlement_issuers WHERE set_at > :at ORDER BY id LIMIT 1) LIMIT 1`
)

/** The details in force: the newest, whatever this process's clock says. */
export const findIssuer = statement<IssuerRow>(
  'settlement_issuer',
  `SELECT ${COLUMNS} FROM settlement_issuers ORDER BY id DESC LIMIT 1`
)

/** The newest first. */
export const listIssuers = statement<IssuerRow>(
  'settlement_issuers',
  `SELECT ${COLUMNS} FROM settlement_issuers ORDER BY id DESC LIMIT 50`
)
