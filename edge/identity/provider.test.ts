import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterEach, expect, test, vi } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'

const ISSUER = 'https://issuer.example'
const CLIENT = { IDP_ISSUER: ISSUER, IDP_CLIENT_ID: 'client', IDP_CLIENT_SECRET: 'secret' }
const CLAIMS = { email: 'ada@example.com', email_verified: true, name: 'Ada' }

afterEach(() => vi.restoreAllMocks())

/**
 * Opens a provider that has the given issuer metadata and signs everyone in.
 * @returns a function that signs in, and the token requests that the provider received.
 */
async function openIssuer(description: object, { claims = CLAIMS as object, client = {} } = {}) {
  const provider = makeTestContext({ ...CLIENT, ...client }).deps.identityProvider
  if (provider === null) throw new Error('there is no provider')
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const requests: { authorization: string | null; form: URLSearchParams }[] = []
  let nonce = ''
  const answers: Record<string, (init: RequestInit) => Promise<object>> = {
    '/.well-known/openid-configuration': async () => ({
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/authorize`,
      token_endpoint: `${ISSUER}/token`,
      jwks_uri: `${ISSUER}/keys`,
      ...description,
    }),
    '/keys': async () => ({ keys: [await exportJWK(publicKey)] }),
    '/token': async ({ headers, body }) => {
      requests.push({
        authorization: new Headers(headers).get('authorization'),
        form: new URLSearchParams(String(body)),
      })
      const token = new SignJWT({ nonce, ...claims }).setProtectedHeader({ alg: 'RS256' }).setIssuer(ISSUER)
      const id_token = token.setAudience('client').setSubject('ada').setIssuedAt().setExpirationTime('1m')
      return { access_token: 'access', token_type: 'bearer', id_token: await id_token.sign(privateKey) }
    },
  }
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init = {}) => {
    const answer = answers[new URL(String(input)).pathname]
    return answer === undefined ? new Response(null, { status: 404 }) : Response.json(await answer(init))
  })
  const signIn = async () => {
    const { authorization_url, ...flow } = await provider.begin('login')
    nonce = flow.nonce
    return provider.finish('code', flow)
  }
  return { requests, signIn }
}

test.each([
  ['nothing', undefined, 'basic'],
  ['basic only', ['client_secret_basic'], 'basic'],
  ['both', ['client_secret_post', 'client_secret_basic'], 'basic'],
  ['post only', ['private_key_jwt', 'client_secret_post'], 'post'],
])('the client secret is sent by the method of an issuer that lists %s', async (_name, methods, way) => {
  const { requests, signIn } = await openIssuer({ token_endpoint_auth_methods_supported: methods })
  await signIn()
  const [request] = requests
  const basic = `Basic ${btoa('client:secret')}`
  expect([request?.authorization, request?.form.get('client_secret')]).toEqual(
    way === 'basic' ? [basic, null] : [null, 'secret'],
  )
})

test('a client configured for one method uses it', async () => {
  const client = { IDP_CLIENT_AUTH: 'client_secret_post' }
  const { requests, signIn } = await openIssuer({}, { client })
  await signIn()
  expect([requests[0]?.authorization, requests[0]?.form.get('client_secret')]).toEqual([null, 'secret'])
})

test('without a user-info endpoint, the ID token identifies the user', async () => {
  const { signIn } = await openIssuer({})
  expect(await signIn()).toEqual({
    issuer: ISSUER,
    subject: 'ada',
    email: CLAIMS.email,
    email_verified: true,
    full_name: 'Ada',
    locale: null,
  })
})

test('an address of an internationalized domain is returned in ASCII form', async () => {
  const { signIn } = await openIssuer({}, { claims: { email: 'ada@пошта.укр', email_verified: true } })
  expect(await signIn()).toMatchObject({ email: 'ada@xn--80a1acn3a.xn--j1amh', email_verified: true })
})
