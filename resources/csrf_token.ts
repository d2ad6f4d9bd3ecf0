/** What shows that a form is of this browser; the server gives a fresh one with each answer. */
export function csrfToken() {
  const cookie = document.cookie.split('; ').find((one) => one.startsWith('XSRF-TOKEN='))
  return decodeURIComponent(cookie?.split('=')[1] ?? '')
}
