import type { InvariantName } from '#invariants/invariants'
import type { Language } from '#shared/languages'

const ru = {
  hello: 'Здравствуйте!',
  statement: {
    subject: 'Ведомость {number} за {period} · {partner}',
    lead: 'Во вложении ведомость взаиморасчётов {number} за {period}, {partner}.',
  },
  reports: {
    current_period: 'Проект взаиморасчётов за текущий период',
    last_period: 'Взаиморасчёты за прошедший период',
    defects: 'Дефекты оплат и подтверждений',
  },
  report: {
    subject: '{report}, {period} · {partner}',
    lead: 'Во вложении отчёт по расписанию. {report}, {period}, {partner}.',
  },
  failed: {
    subject: 'Отчёт не готов: {report} · {partner}',
    lead: 'Отчёт «{report}» ({partner}) подготовить не удалось, код {code}. Спросите о нём: {asker}.',
  },
  alert: {
    subject: 'Подтверждения не приняты по нашей вине: {count} · {partner}',
    lead: 'На подтверждения оплаты партнёра {partner} мы ответили ошибкой или не ответили совсем, и заказы не оплачены: {orders}. С покупателей могли списать деньги. Пока окно оплаты открыто, попросите партнёра повторить подтверждение; после окна это случай по вине платформы. Список: {backOffice}',
  },
  invariant: {
    subject: 'Нарушен инвариант: {invariant}',
    lead: 'Проверка данных нашла строки, которых не может быть: «{invariant}». Что именно найдено и что делать: {backOffice}/invariants',
  },
  invariants: {
    seat_sold_once: 'Место продано один раз',
    order_totals_agree: 'Суммы заказов сходятся',
    ledger_matches_orders: 'Движения денег отвечают заказам',
    statements_are_chained: 'Ведомости сцеплены и не изменены',
    statuses_follow_tables: 'Статусы меняются по таблицам',
    paid_orders_have_tickets: 'У оплаченных заказов есть годные билеты',
    holds_are_swept: 'Истёкшие удержания убраны',
    news_are_relayed: 'Новости дошли до ленты и вебхуков',
    deliveries_are_in_order: 'Вебхуки идут по порядку',
    tables_are_guarded: 'Таблицы защищены от правки',
    months_are_ahead: 'Месяцы созданы заранее',
    journal_is_complete: 'Журнал полон',
  } satisfies Record<InvariantName, string>,
  partnerOwes: 'Сальдо на конец периода: партнёр должен площадке {closing}.',
  weOwe: 'Сальдо на конец периода: площадка должна партнёру {closing}.',
  due: 'К оплате за период: {due}, из них оплачено: {paid} ({payment}).',
  paymentStatuses: {
    open: 'не оплачена',
    part_paid: 'оплачена частично',
    paid: 'оплачена',
    overpaid: 'переплачена',
  },
  openCases: 'Открытых случаев за период: {cases}, под риском: {atRisk}.',
  noOpenCases: 'Открытых случаев за период нет.',
  parties: { buyer: 'у покупателей', platform: 'у площадки', partner: 'у партнёра' },
  file: 'Файл: {name}, {size} МБ. SHA-256: {sha256}',
  tooLarge:
    'Файл {name} ({size} МБ) слишком велик для письма, поэтому его здесь нет. Попросите его у {asker}.',
  ask: 'Вопросы по документу: {asker}.',
  automatic: 'Письмо отправлено автоматически.',
}
export type MailWords = typeof ru

const kk: MailWords = {
  hello: 'Сәлеметсіз бе!',
  statement: {
    subject: '{number} ведомосі, {period} · {partner}',
    lead: 'Қосымшада {period} кезеңіндегі өзара есеп айырысудың {number} ведомосі, {partner}.',
  },
  reports: {
    current_period: 'Ағымдағы кезең бойынша өзара есеп айырысу жобасы',
    last_period: 'Өткен кезең бойынша өзара есеп айырысу',
    defects: 'Төлемдер мен растаулардың ақаулары',
  },
  report: {
    subject: '{report}, {period} · {partner}',
    lead: 'Қосымшада кесте бойынша есеп. {report}, {period}, {partner}.',
  },
  failed: {
    subject: 'Есеп дайын емес: {report} · {partner}',
    lead: '«{report}» есебін ({partner}) дайындау мүмкін болмады, код {code}. Мына мекенжайдан сұраңыз: {asker}.',
  },
  alert: {
    subject: 'Растаулар біздің кінәмізден қабылданбады: {count} · {partner}',
    lead: '{partner} серіктесінің төлем растауларына біз қате қайтардық немесе мүлде жауап бермедік, тапсырыстар төленбеген: {orders}. Сатып алушылардан ақша алынған болуы мүмкін. Төлем уақыты біткенше серіктестен растауды қайталауды сұраңыз; одан кейін бұл платформа кінәсінен болған жағдай. Тізім: {backOffice}',
  },
  invariant: {
    subject: 'Инвариант бұзылды: {invariant}',
    lead: 'Деректерді тексеру болмауға тиіс жолдарды тапты: «{invariant}». Не табылғаны және не істеу керегі: {backOffice}/invariants',
  },
  invariants: {
    seat_sold_once: 'Орын бір рет сатылған',
    order_totals_agree: 'Тапсырыстар сомалары сәйкес',
    ledger_matches_orders: 'Ақша қозғалысы тапсырыстарға сәйкес',
    statements_are_chained: 'Ведомостер тізбектелген және өзгертілмеген',
    statuses_follow_tables: 'Мәртебелер кестелер бойынша өзгереді',
    paid_orders_have_tickets: 'Төленген тапсырыстардың жарамды билеттері бар',
    holds_are_swept: 'Мерзімі өткен ұстаулар жойылған',
    news_are_relayed: 'Жаңалықтар таспа мен вебхуктарға жетті',
    deliveries_are_in_order: 'Вебхуктар ретімен жіберіледі',
    tables_are_guarded: 'Кестелер өзгертуден қорғалған',
    months_are_ahead: 'Айлар алдын ала жасалған',
    journal_is_complete: 'Журнал толық',
  },
  partnerOwes: 'Кезең соңындағы сальдо: серіктес алаңға {closing} қарыз.',
  weOwe: 'Кезең соңындағы сальдо: алаң серіктеске {closing} қарыз.',
  due: 'Кезең үшін төленуге тиіс: {due}, оның төленгені: {paid} ({payment}).',
  paymentStatuses: {
    open: 'төленбеген',
    part_paid: 'ішінара төленді',
    paid: 'төленді',
    overpaid: 'артық төленген',
  },
  openCases: 'Кезеңдегі ашық оқиғалар: {cases}, тәуекелде: {atRisk}.',
  noOpenCases: 'Кезеңде ашық оқиға жоқ.',
  parties: { buyer: 'сатып алушыларда', platform: 'алаңда', partner: 'серіктесте' },
  file: 'Файл: {name}, {size} МБ. SHA-256: {sha256}',
  tooLarge:
    '{name} файлы ({size} МБ) хат үшін тым үлкен, сондықтан мұнда жоқ. Оны мына мекенжайдан сұраңыз: {asker}.',
  ask: 'Құжат бойынша сұрақтар: {asker}.',
  automatic: 'Хат автоматты түрде жіберілді.',
}

const en: MailWords = {
  hello: 'Hello,',
  statement: {
    subject: 'Statement {number} for {period} · {partner}',
    lead: 'Attached is the settlement statement {number} for {period}, {partner}.',
  },
  reports: {
    current_period: 'Draft settlement of the current period',
    last_period: 'Settlement of the last period',
    defects: 'Defects of payments and confirms',
  },
  report: {
    subject: '{report}, {period} · {partner}',
    lead: 'Attached is a scheduled report. {report}, {period}, {partner}.',
  },
  failed: {
    subject: 'Report not made: {report} · {partner}',
    lead: 'The report “{report}” ({partner}) could not be made, code {code}. Ask {asker} about it.',
  },
  alert: {
    subject: 'Confirms that we failed: {count} · {partner}',
    lead: 'We answered confirms of {partner} with an error or not at all, and the orders are not paid: {orders}. The buyers may have been charged. While the payment window is open, ask the partner to repeat the confirm; afterwards it is a case with our fault. The list: {backOffice}',
  },
  invariant: {
    subject: 'An invariant is broken: {invariant}',
    lead: 'The check of our data has found rows that must not exist: “{invariant}”. What was found, and what to do: {backOffice}/invariants',
  },
  invariants: {
    seat_sold_once: 'A seat is sold once',
    order_totals_agree: 'Order totals agree',
    ledger_matches_orders: 'The ledger matches the orders',
    statements_are_chained: 'Statements are chained and unchanged',
    statuses_follow_tables: 'Statuses follow their tables',
    paid_orders_have_tickets: 'Paid orders have usable tickets',
    holds_are_swept: 'Expired holds are swept',
    news_are_relayed: 'News reach the feed and webhooks',
    deliveries_are_in_order: 'Webhooks go out in order',
    tables_are_guarded: 'Tables are guarded against changes',
    months_are_ahead: 'Months are created ahead',
    journal_is_complete: 'The journal is complete',
  },
  partnerOwes: 'Closing balance: the partner owes the platform {closing}.',
  weOwe: 'Closing balance: the platform owes the partner {closing}.',
  due: 'Due for the period: {due}, paid of it: {paid} ({payment}).',
  paymentStatuses: { open: 'not paid', part_paid: 'part paid', paid: 'paid', overpaid: 'overpaid' },
  openCases: 'Open cases of the period: {cases}, at risk: {atRisk}.',
  noOpenCases: 'The period has no open cases.',
  parties: { buyer: 'buyers', platform: 'the platform', partner: 'the partner' },
  file: 'File: {name}, {size} MB. SHA-256: {sha256}',
  tooLarge:
    'The file {name} ({size} MB) is too large for a mail, so it is not attached. Ask {asker} for it.',
  ask: 'Questions about the document: {asker}.',
  automatic: 'This mail was sent automatically.',
}

export const MAIL_WORDS: Record<Language, MailWords> = { ru, kk, en }
