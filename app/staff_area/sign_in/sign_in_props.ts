export interface SignInPage {
  /** How long to wait after too many tries; 0 when there is no need. */
  waitMinutes: number
}
