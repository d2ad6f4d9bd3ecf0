/** Resolves when the browser has drawn the page and has nothing better to do. */
export const idle = () =>
  new Promise<void>((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 2_000 })
    else setTimeout(resolve, 200)
  })
