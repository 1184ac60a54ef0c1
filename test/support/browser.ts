/** The parts of a browser that a sign-in needs: cookies, redirects, and forms. */
export class Browser {
  private readonly cookies = new Map<string, string>()

  private async fetch(url: string, form?: Record<string, string>): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const [name = '', value = ''] = pair.split('=')
      if (value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return response
  }

  /**
   * Signs in at the local OpenID provider, grants every consent, and stops at the redirect back to the service.
   * @returns the query string of that redirect
   */
  async signIn(authorization_url: string, login: string): Promise<{ code: string; state: string }> {
    const provider = new URL(authorization_url).origin
    let response = await this.fetch(authorization_url)
    for (let step = 0; step < 20; step++) {
      const location = response.headers.get('location')
      if (location !== null) {
        const next = new URL(location, provider)
        if (next.origin !== provider) return readAnswer(next)
        response = await this.fetch(next.href)
        continue
      }
      const page = await response.text()
      const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1]
      const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1]
      if (action === undefined || prompt === undefined) throw new Error(`The page has no form: ${page}`)
      response = await this.fetch(new URL(action, provider).href, { prompt, login, password: 'any' })
    }
    throw new Error('The provider redirected more than 20 times.')
  }
}

function readAnswer({ searchParams }: URL): { code: string; state: string } {
  const [code, state] = [searchParams.get('code'), searchParams.get('state')]
  if (code === null || state === null) throw new Error(`The provider refused the sign-in: ${searchParams}`)
  return { code, state }
}
