const wholeTenge = new Intl.NumberFormat('ru-RU', { maximumFractionDigits: 0 })

/** `1 234 567 ₸`, in every language; `−5 ₸` with a minus that is no hyphen. */
export const tengeText = (value: number) => `${wholeTenge.format(value).replace('-', '−')}\u00a0₸`
