import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterEach, expect, test, vi } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'

const ISSUER = 'https://issuer.example'
const CLIENT = { IDP_ISSUER: ISSUER, IDP_CLIENT_ID: 'client', IDP_CLIENT_SECRET: 'secret' }
const TOLD = { email: 'ada@example.com', email_verified: true, name: 'Ada' }

afterEach(() => vi.restoreAllMocks())

/**
 * The provider as this Worker sees an issuer of this description, which signs everybody in.
 * @returns with it how it was asked for the token.
 */
async function openIssuer(description: object, { told = TOLD as object, client = {} } = {}) {
  const provider = makeTestContext({ ...CLIENT, ...client }).deps.identityProvider
  if (provider === null) throw new Error('there is no provider')
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const asked: { authorization: string | null; form: URLSearchParams }[] = []
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
      asked.push({
        authorization: new Headers(headers).get('authorization'),
        form: new URLSearchParams(String(body)),
      })
      const token = new SignJWT({ nonce, ...told }).setProtectedHeader({ alg: 'RS256' }).setIssuer(ISSUER)
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
  return { asked, signIn }
}

test.each([
  ['nothing', undefined, 'basic'],
  ['basic alone', ['client_secret_basic'], 'basic'],
  ['both', ['client_secret_post', 'client_secret_basic'], 'basic'],
  ['post alone', ['private_key_jwt', 'client_secret_post'], 'post'],
])('the secret goes where an issuer wants it that lists %s', async (_name, methods, way) => {
  const { asked, signIn } = await openIssuer({ token_endpoint_auth_methods_supported: methods })
  await signIn()
  const [request] = asked
  const basic = `Basic ${btoa('client:secret')}`
  expect([request?.authorization, request?.form.get('client_secret')]).toEqual(
    way === 'basic' ? [basic, null] : [null, 'secret'],
  )
})

test('a client that is registered for one way alone says so', async () => {
  const client = { IDP_CLIENT_AUTH: 'client_secret_post' }
  const { asked, signIn } = await openIssuer({}, { client })
  await signIn()
  expect([asked[0]?.authorization, asked[0]?.form.get('client_secret')]).toEqual([null, 'secret'])
})

test('where an issuer has no user-info endpoint, the token tells who somebody is', async () => {
  const { signIn } = await openIssuer({})
  expect(await signIn()).toEqual({
    issuer: ISSUER,
    subject: 'ada',
    email: TOLD.email,
    email_verified: true,
    full_name: 'Ada',
    locale: null,
  })
})

test('an address under a domain of another script is told in its ASCII form', async () => {
  const { signIn } = await openIssuer({}, { told: { email: 'ada@пошта.укр', email_verified: true } })
  expect(await signIn()).toMatchObject({ email: 'ada@xn--80a1acn3a.xn--j1amh', email_verified: true })
})
