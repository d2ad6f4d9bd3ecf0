/** Of the first eleven digits; the second pass is taken where the first gives 10. */
const WEIGHTS = [
  [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  [3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 2],
]

/** Whether this is a BIN of Kazakhstan: eleven digits and their control digit. An IIN has the same. */
export function isBin(text: string): boolean {
  if (!/^\d{12}$/.test(text)) return false
  const digits = [...text].map(Number)
  for (const weights of WEIGHTS) {
    const rest = weights.reduce((sum, weight, place) => sum + weight * digits[place], 0) % 11
    if (rest < 10) return rest === digits[11]
  }
  return false
}
