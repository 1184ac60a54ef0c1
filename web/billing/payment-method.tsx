import { useMutation } from '@tanstack/preact-query'
import { AuthPage } from '../account/auth-page.tsx'
import { SignedIn } from '../account/signed-in.tsx'
import { callService } from '../api/media.ts'
import { Button } from '../design/button.tsx'
import { ErrorNotice } from '../design/surfaces.tsx'
import { defineTexts } from '../text/define-texts.ts'

const texts = defineTexts({
  en: {
    title: 'Payment method',
    lead: 'The payment provider holds the payment method of your plan. On its page you can change it, and pay a charge that failed.',
    open: 'Open the page of the payment provider',
  },
  uk: {
    title: 'Спосіб оплати',
    lead: 'Спосіб оплати вашого тарифу зберігає платіжна система. На її сторінці його можна змінити й оплатити списання, яке не пройшло.',
    open: 'Відкрити сторінку платіжної системи',
  },
  ru: {
    title: 'Способ оплаты',
    lead: 'Способ оплаты вашего тарифа хранит платежная система. На ее странице его можно сменить и оплатить списание, которое не прошло.',
    open: 'Открыть страницу платежной системы',
  },
})

/** Leads from the email about a failed charge to the provider's page for the payment method. */
export default function PaymentMethod() {
  return (
    <SignedIn>
      <ProviderPage />
    </SignedIn>
  )
}

function ProviderPage() {
  const t = texts()
  const page = useMutation({
    mutationFn: () =>
      callService<{ redirect_url: string }>({
        method: 'POST',
        path: '/api/v1/billing/subscription/payment-method',
        isRepeatable: true,
      }),
    onSuccess: ({ redirect_url }) => location.assign(redirect_url),
  })
  return (
    <AuthPage title={t.title} lead={t.lead}>
      {page.error && <ErrorNotice error={page.error} />}
      <Button look="primary" isWide isBusy={page.isPending} onClick={() => page.mutate()}>
        {t.open}
      </Button>
    </AuthPage>
  )
}
