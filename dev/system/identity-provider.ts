import { generateKeyPairSync, randomBytes } from 'node:crypto'
import Provider from 'oidc-provider'
import { z } from 'zod'
import { LOOPBACK } from './ports.ts'

/**
 * Runs a real OpenID provider for local use in a separate process. Any username can sign in with any password. The
 * user `ada` has the email ada@localhost.test. A username that contains an @ is used as the email. If a username
 * starts with "unverified", its email is not verified.
 */
const environment = z
  .object({
    PORT: z.coerce.number(),
    CLIENT_ID: z.string(),
    CLIENT_SECRET: z.string(),
    REDIRECT_URL: z.url(),
  })
  .parse(process.env)

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

const provider = new Provider(`http://${LOOPBACK}:${environment.PORT}`, {
  clients: [
    {
      client_id: environment.CLIENT_ID,
      client_secret: environment.CLIENT_SECRET,
      redirect_uris: [environment.REDIRECT_URL],
    },
  ],
  // The only method that every issuer must support. This provider rejects client_secret_post.
  clientAuthMethods: ['client_secret_basic'],
  pkce: { required: () => true },
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'local', alg: 'RS256', use: 'sig' }] },
  cookies: { keys: [randomBytes(32).toString('hex')] },
  claims: {
    openid: ['sub'],
    email: ['email', 'email_verified'],
    profile: ['name', 'locale'],
  },
  findAccount: (_context, id) => ({
    accountId: id,
    claims: () => ({
      sub: id,
      email: id.includes('@') ? id : `${id}@localhost.test`,
      email_verified: !id.startsWith('unverified'),
      name: id.split('@')[0],
      locale: 'uk-UA',
    }),
  }),
})

provider.listen(environment.PORT, LOOPBACK)
