import type { Env } from '../env.ts'
import { openNowpayments } from './nowpayments/client.ts'
import { openPaddle } from './paddle/client.ts'
import type { PaymentProvider } from './provider.ts'

type PaymentSettings = Pick<
  Env,
  | 'PUBLIC_URL'
  | 'PADDLE_API_KEY'
  | 'PADDLE_API_URL'
  | 'PADDLE_WEBHOOK_SECRET'
  | 'PADDLE_CHECKOUT_URL'
  | 'NOWPAYMENTS_API_KEY'
  | 'NOWPAYMENTS_API_URL'
  | 'NOWPAYMENTS_IPN_SECRET'
  | 'NOWPAYMENTS_EMAIL'
  | 'NOWPAYMENTS_PASSWORD'
  | 'PAYMENT_SANDBOX_URL'
  | 'PAYMENT_SANDBOX_SECRET'
>

/** Creates the configured providers, the default one first. If there are none, payments are not live. */
export function openPayments(env: PaymentSettings): PaymentProvider[] {
  return [...openReal(env), ...openSandbox(env)]
}

function openReal(env: PaymentSettings): PaymentProvider[] {
  const providers: PaymentProvider[] = []
  if (env.PADDLE_API_KEY !== undefined) {
    providers.push(
      openPaddle({
        name: 'paddle',
        label: 'Card, PayPal, Apple Pay, Google Pay',
        api_url: env.PADDLE_API_URL,
        api_key: env.PADDLE_API_KEY,
        webhook_secrets: env.PADDLE_WEBHOOK_SECRET,
        checkout_url: env.PADDLE_CHECKOUT_URL,
      }),
    )
  }
  if (env.NOWPAYMENTS_API_KEY !== undefined && env.NOWPAYMENTS_IPN_SECRET !== undefined) {
    const { NOWPAYMENTS_EMAIL: email, NOWPAYMENTS_PASSWORD: password } = env
    providers.push(
      openNowpayments({
        name: 'nowpayments',
        label: 'Cryptocurrency',
        api_url: env.NOWPAYMENTS_API_URL,
        api_key: env.NOWPAYMENTS_API_KEY,
        ipn_secret: env.NOWPAYMENTS_IPN_SECRET,
        callback_url: callbackUrl(env, 'nowpayments'),
        account: email !== undefined && password !== undefined ? { email, password } : null,
      }),
    )
  }
  return providers
}

/** Creates both sandbox providers, which move no real money. */
function openSandbox(env: PaymentSettings): PaymentProvider[] {
  const { PAYMENT_SANDBOX_URL: url, PAYMENT_SANDBOX_SECRET: secret } = env
  if (url === undefined || secret === undefined) return []
  return [
    openPaddle({
      name: 'sandbox_card',
      label: 'Card (sandbox)',
      api_url: `${url}/paddle`,
      api_key: secret,
      webhook_secrets: [secret],
      checkout_url: undefined,
    }),
    openNowpayments({
      name: 'sandbox_crypto',
      label: 'Cryptocurrency (sandbox)',
      api_url: `${url}/nowpayments/v1`,
      api_key: secret,
      ipn_secret: secret,
      callback_url: callbackUrl(env, 'sandbox_crypto'),
      account: { email: 'sandbox@localhost.test', password: secret },
    }),
  ]
}

/** Returns the webhook URL for a provider. Paddle has it in its own settings instead. */
function callbackUrl({ PUBLIC_URL }: PaymentSettings, provider: string): string {
  return `${PUBLIC_URL}/api/v1/billing/callbacks/${provider}`
}
