import { useMutation, useQuery } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso'
import { AuthPage } from '../account/auth-page.tsx'
import panel from '../account/panel.module.css'
import { SignedIn } from '../account/signed-in.tsx'
import { callService } from '../api/media.ts'
import { Button, LinkButton } from '../design/button.tsx'
import { ErrorNotice, Notice, Skeleton } from '../design/surfaces.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { formatDate, formatDateTime, formatMoney } from '../text/format.ts'

const texts = defineTexts({
  en: {
    title: 'Withdraw from a purchase',
    choose: 'Choose the purchase. You do not have to give a reason.',
    none: 'This account has no paid purchase.',
    order: (id: string) => `Order ${id}`,
    until: (time: string) => `You can withdraw until ${time}.`,
    // The words of Directive (EU) 2023/2673.
    start: 'Withdraw from contract here',
    review: 'This is your declaration. It takes effect when you confirm it.',
    amount: (money: string) => `You get back ${money} and any tax charged on it, for what you have not used.`,
    confirm: 'Confirm withdrawal',
    done: 'We have received your withdrawal. An email confirms it, with its content, date and time.',
    rules: 'Refunds and withdrawal',
    others: 'Other purchases',
  },
  uk: {
    title: 'Відмова від покупки',
    choose: 'Виберіть покупку. Пояснювати причину не потрібно.',
    none: 'У цьому обліковому записі немає оплачених покупок.',
    order: (id: string) => `Замовлення ${id}`,
    until: (time: string) => `Відмовитися можна до такого часу: ${time}.`,
    start: 'Відмовитися від договору тут',
    review: 'Це ваша заява. Вона набуде чинності, коли ви її підтвердите.',
    amount: (money: string) =>
      `Вам повернеться ${money} і податок на цю суму, якщо його стягнули, за те, чого ви не використали.`,
    confirm: 'Підтвердити відмову',
    done: 'Ми отримали вашу відмову. Її підтвердить лист із її змістом, датою й часом.',
    rules: 'Повернення коштів і відмова',
    others: 'Інші покупки',
  },
  ru: {
    title: 'Отказ от покупки',
    choose: 'Выберите покупку. Объяснять причину не нужно.',
    none: 'В этом аккаунте нет оплаченных покупок.',
    order: (id: string) => `Заказ ${id}`,
    until: (time: string) => `Отказаться можно до такого времени: ${time}.`,
    start: 'Отказаться от договора здесь',
    review: 'Это ваше заявление. Оно вступит в силу, когда вы его подтвердите.',
    amount: (money: string) =>
      `Вам вернется ${money} и налог на эту сумму, если он был взят, за то, что вы не использовали.`,
    confirm: 'Подтвердить отказ',
    done: 'Мы получили ваш отказ. Его подтвердит письмо с его содержанием, датой и временем.',
    rules: 'Возврат средств и отказ',
    others: 'Другие покупки',
  },
})

interface Order {
  order_id: string
  item_name: string
  amount_cents: number
  currency: string
  created_at: string
  credited_at: string | null
}
interface Quote {
  amount_cents: number
  currency: string
  withdrawal_deadline: string | null
}
interface Declaration {
  id: string
  statement: string
  quote: Quote
}

const PAGE_PATH = '/billing/withdraw'

/** The function by which consumers withdraw from a contract. Order confirmations lead here. Contract: Withdrawal. */
export default function Withdraw() {
  const id = useLocation().query.order_id
  return (
    <SignedIn>
      <AuthPage title={texts().title} below={<a href="/refunds">{texts().rules}</a>}>
        {id === undefined || id === '' ? <Orders /> : <Withdrawal key={id} id={id} />}
      </AuthPage>
    </SignedIn>
  )
}

function Orders() {
  const t = texts()
  const orders = useQuery({
    queryKey: ['orders'],
    queryFn: () =>
      callService<Order[]>({ method: 'GET', path: '/api/v1/billing/payments?limit=500', isRepeatable: true }),
  })
  const paid = orders.data?.filter(({ credited_at }) => credited_at !== null) ?? []
  if (orders.error) return <ErrorNotice error={orders.error} />
  if (orders.isPending) return <Skeleton height="8rem" />
  if (paid.length === 0) return <p>{t.none}</p>
  return (
    <>
      <p>{t.choose}</p>
      <ul class={panel.list}>
        {paid.map(({ order_id, item_name, amount_cents, currency, created_at }) => (
          <li key={order_id}>
            <a href={`${PAGE_PATH}?order_id=${encodeURIComponent(order_id)}`}>{item_name}</a>
            <span class={panel.quiet}>
              {formatMoney(amount_cents, currency)}, {formatDate(created_at)}, {t.order(order_id)}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

function Withdrawal({ id }: { id: string }) {
  const t = texts()
  const order = `/api/v1/billing/payments/${encodeURIComponent(id)}`
  const quote = useQuery({
    queryKey: [order, 'quote'],
    queryFn: () => callService<Quote>({ method: 'GET', path: `${order}/refund-quote`, isRepeatable: true }),
  })
  const declaration = useMutation({
    mutationFn: () =>
      callService<Declaration>({ method: 'POST', path: `${order}/withdrawal`, isRepeatable: true }),
  })
  const confirmation = useMutation({
    mutationFn: (declared: string) =>
      callService({
        method: 'POST',
        path: `/api/v1/billing/withdrawals/${declared}/confirm`,
        isRepeatable: true,
      }),
  })
  const error = quote.error ?? declaration.error ?? confirmation.error
  const declared = declaration.data
  return (
    <>
      <p>{t.order(id)}</p>
      {quote.isPending && <Skeleton height="3rem" />}
      {error && <ErrorNotice error={error} />}
      {quote.data && declared === undefined && <Start quote={quote.data} declaration={declaration} />}
      {declared && !confirmation.isSuccess && (
        <>
          <p>{t.review}</p>
          <blockquote class={panel.statement}>{declared.statement}</blockquote>
          {declared.quote.amount_cents > 0 && (
            <p>{t.amount(formatMoney(declared.quote.amount_cents, declared.quote.currency))}</p>
          )}
          <Button
            look="primary"
            isWide
            isBusy={confirmation.isPending}
            onClick={() => confirmation.mutate(declared.id)}
          >
            {t.confirm}
          </Button>
        </>
      )}
      {confirmation.isSuccess && <Notice kind="good">{t.done}</Notice>}
      {error && <LinkButton href={PAGE_PATH}>{t.others}</LinkButton>}
    </>
  )
}

interface StartProps {
  quote: Quote
  declaration: { isPending: boolean; mutate: () => void }
}

function Start({ quote: { withdrawal_deadline }, declaration }: StartProps) {
  const t = texts()
  return (
    <>
      {withdrawal_deadline !== null && <p>{t.until(formatDateTime(withdrawal_deadline))}</p>}
      <Button look="primary" isWide isBusy={declaration.isPending} onClick={() => declaration.mutate()}>
        {t.start}
      </Button>
    </>
  )
}
