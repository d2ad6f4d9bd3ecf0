declare module 'pa11y' {
  interface Issue {
    code: string
    type: 'error' | 'warning' | 'notice'
    message: string
    context: string
    selector: string
    runner: string
    /** Axe could not decide. */
    runnerExtras?: { needsFurtherReview?: boolean }
  }
  interface Options {
    standard?: 'WCAG2A' | 'WCAG2AA' | 'WCAG2AAA'
    runners?: string[]
    ignore?: string[]
    timeout?: number
    wait?: number
    browser?: unknown
    viewport?: { width: number; height: number }
  }
  export default function pa11y(url: string, options?: Options): Promise<{ issues: Issue[] }>
}
