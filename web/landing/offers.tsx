import type { ComponentChildren } from 'preact'
import type { Pricing } from '../../client/src/index.ts'
import { defineTexts } from '../text/define-texts.ts'
import { formatMoney } from '../text/format.ts'
import { formatCredits } from '../text/format-credits.ts'
import styles from './landing.module.css'

const texts = defineTexts({
  en: {
    packs: 'Packs',
    packs_text: 'Paid once. They do not expire.',
    plans: 'Plans',
    plans_text: 'Bonuses every month, and jobs that wait less.',
    monthly: (credits: string) => `${credits} a month`,
    per_month: 'a month',
    lowest: (price: string) => `Lowest price of the last 30 days: ${price}`,
    tax: 'Tax is added at checkout.',
  },
  uk: {
    packs: 'Пакети',
    packs_text: 'Разова оплата. Бонуси не згорають.',
    plans: 'Тарифи',
    plans_text: 'Бонуси щомісяця, а завдання чекають менше.',
    monthly: (credits: string) => `${credits} на місяць`,
    per_month: 'на місяць',
    lowest: (price: string) => `Найнижча ціна за останні 30 днів: ${price}`,
    tax: 'Податок додається під час оплати.',
  },
  ru: {
    packs: 'Пакеты',
    packs_text: 'Разовая оплата. Бонусы не сгорают.',
    plans: 'Тарифы',
    plans_text: 'Бонусы каждый месяц, а задания ждут меньше.',
    monthly: (credits: string) => `${credits} в месяц`,
    per_month: 'в месяц',
    lowest: (price: string) => `Самая низкая цена за последние 30 дней: ${price}`,
    tax: 'Налог добавляется при оплате.',
  },
})

/** Packs and plans with their prices. */
export function Offers({ pricing }: { pricing: Pricing }) {
  const t = texts()
  return (
    <>
      <div class={styles.offers}>
        {pricing.packages.length > 0 && (
          <OfferList title={t.packs} text={t.packs_text}>
            {pricing.packages.map((pack) => (
              <Offer key={pack.id} name={formatCredits(pack.credits)} price={pack} />
            ))}
          </OfferList>
        )}
        {pricing.plans.length > 0 && (
          <OfferList title={t.plans} text={t.plans_text}>
            {pricing.plans.map((plan) => (
              <Offer
                key={plan.id}
                name={plan.name}
                detail={t.monthly(formatCredits(plan.period_credits))}
                price={plan}
                period={t.per_month}
              />
            ))}
          </OfferList>
        )}
      </div>
      {!pricing.tax_included && <p class={styles.quiet}>{t.tax}</p>}
    </>
  )
}

interface ListProps {
  title: string
  text: string
  children: ComponentChildren
}

function OfferList({ title, text, children }: ListProps) {
  return (
    <div class={styles['offer-list']}>
      <h3>{title}</h3>
      <p class={styles.quiet}>{text}</p>
      <ul>{children}</ul>
    </div>
  )
}

interface OfferProps {
  name: string
  detail?: string
  price: { charge_cents: number; reference_cents: number | null; currency: string }
  period?: string
}

function Offer({ name, detail, price, period }: OfferProps) {
  const { charge_cents, reference_cents, currency } = price
  return (
    <li class={styles.offer}>
      <span>
        <strong>{name}</strong>
        {detail && <span class={styles.quiet}>{detail}</span>}
      </span>
      <span class={styles.price}>
        <strong>{formatMoney(charge_cents, currency)}</strong>
        {period && <span class={styles.quiet}>{period}</span>}
        {reference_cents !== null && (
          <span class={styles.quiet}>{texts().lowest(formatMoney(reference_cents, currency))}</span>
        )}
      </span>
    </li>
  )
}
