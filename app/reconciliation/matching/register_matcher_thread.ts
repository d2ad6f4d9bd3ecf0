import { RegisterMatcher } from '#reconciliation/matching/register_matcher'
import { serveCalculation } from '#shared/calculation_thread'

serveCalculation(new RegisterMatcher())
