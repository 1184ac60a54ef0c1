import { useLocation } from 'preact-iso'
import { AuthPage } from '../account/auth-page.tsx'
import { LinkButton } from '../design/button.tsx'
import { defineTexts } from '../text/define-texts.ts'

const texts = defineTexts({
  en: {
    title: 'Thank you',
    confirming:
      'If you paid, the payment provider is now confirming the payment, usually within a minute. We then add your bonuses and send you an email. If you did not pay, nothing was charged.',
    order: 'Order number:',
    support: 'Include it when you contact support.',
    account: 'Open your account',
  },
  uk: {
    title: 'Дякуємо',
    confirming:
      'Якщо ви оплатили, платіжна система зараз підтверджує платіж. Зазвичай це триває до хвилини. Тоді ми нарахуємо бонуси й надішлемо лист. Якщо ви не оплачували, нічого не списано.',
    order: 'Номер замовлення:',
    support: 'Вкажіть його, якщо пишете до підтримки.',
    account: 'Відкрити обліковий запис',
  },
  ru: {
    title: 'Спасибо',
    confirming:
      'Если вы оплатили, платежная система сейчас подтверждает платеж. Обычно это занимает до минуты. После этого мы начислим бонусы и пришлем письмо. Если вы не платили, ничего не списано.',
    order: 'Номер заказа:',
    support: 'Укажите его, если пишете в поддержку.',
    account: 'Открыть аккаунт',
  },
})

const ORDER_CHARACTERS_MAX = 64

/** Where the checkout of a payment provider leads back to. Anybody can write the address, so it proves no payment. */
export default function CheckoutReturn() {
  const t = texts()
  const order = useLocation().query.order_id?.slice(0, ORDER_CHARACTERS_MAX)
  return (
    <AuthPage title={t.title}>
      <p>{t.confirming}</p>
      {order && (
        <p>
          {t.order} <code>{order}</code>. {t.support}
        </p>
      )}
      <LinkButton href="/account">{t.account}</LinkButton>
    </AuthPage>
  )
}
