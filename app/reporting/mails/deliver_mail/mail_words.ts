import type { InvariantName } from '#invariants/invariant_names'
import type { Language } from '#shared/languages'
import enBackOffice from '#resources/lang/en/back_office.json' with { type: 'json' }
import kkBackOffice from '#resources/lang/kk/back_office.json' with { type: 'json' }
import ruBackOffice from '#resources/lang/ru/back_office.json' with { type: 'json' }
import enInvariants from '#resources/lang/en/invariants.json' with { type: 'json' }
import kkInvariants from '#resources/lang/kk/invariants.json' with { type: 'json' }
import ruInvariants from '#resources/lang/ru/invariants.json' with { type: 'json' }

const ru = {
  hello: 'Здравствуйте!',
  statement: {
    subject: 'Ведомость {number} за {period} · {partner}',
    lead: 'Во вложении ведомость взаиморасчётов {number} за {period}, {partner}.',
  },
  reports: {
    current_period: 'Черновик ведомости за текущий период',
    last_period: 'Ведомость взаиморасчётов за прошедший период',
    defects: 'Расхождения оплат и подтверждений',
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
    lead: 'На подтверждения оплаты партнёра {partner} мы ответили ошибкой или не ответили совсем, и заказы не оплачены: {orders}. С покупателей могли списать деньги. Пока срок оплаты не истёк, попросите партнёра повторить подтверждение; после него это случай по вине платформы. Список: {backOffice}',
  },
  invariant: {
    subject: 'Нарушен инвариант: {invariant}',
    lead: 'Проверка данных нашла строки, которых не может быть: «{invariant}». Что именно найдено и что делать: {backOffice}/invariants',
  },
  unchecked: {
    subject: 'Инварианты давно не проверялись',
    lead: 'Проверка данных не выполнялась больше часа, хотя должна была: нарушения сейчас никто не заметит. Работает ли воркер очереди invariants и с какой ошибкой завершаются проверки: {backOffice}/invariants',
  },
  invariants: ruInvariants.invariant_names satisfies Record<InvariantName, string>,
  partnerOwes: 'Сальдо на конец периода: задолженность партнёра перед платформой {closing}.',
  weOwe: 'Сальдо на конец периода: задолженность платформы перед партнёром {closing}.',
  sales: 'Продажи за период: {sales}, возвраты: {refunds}.',
  due: 'К оплате за период: {due}, из них оплачено: {paid} ({payment}).',
  paymentStatuses: ruBackOffice.payment_statuses,
  openCases: 'Открытых случаев за период: {cases}, под риском: {atRisk}.',
  noOpenCases: 'Открытых случаев за период нет.',
  parties: { buyer: 'у покупателей', platform: 'у платформы', partner: 'у партнёра' },
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
    current_period: 'Ағымдағы кезең ведомосінің жобасы',
    last_period: 'Өткен кезеңдегі өзара есеп айырысу ведомосі',
    defects: 'Төлемдер мен растаулардың алшақтықтары',
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
    lead: '{partner} серіктесінің төлем растауларына біз қате қайтардық немесе мүлде жауап бермедік, тапсырыстар төленбеген: {orders}. Сатып алушылардан ақша алынған болуы мүмкін. Төлем мерзімі өткенше серіктестен растауды қайталауды сұраңыз; одан кейін бұл платформа кінәсінен болған жағдай. Тізім: {backOffice}',
  },
  invariant: {
    subject: 'Инвариант бұзылды: {invariant}',
    lead: 'Деректерді тексеру болмауға тиіс жолдарды тапты: «{invariant}». Не табылғаны және не істеу керегі: {backOffice}/invariants',
  },
  unchecked: {
    subject: 'Инварианттар көптен тексерілмеген',
    lead: 'Деректер бір сағаттан астам тексерілмеді, ал тексерілуге тиіс еді: бұзылуды қазір ешкім байқамайды. invariants кезегінің воркері жұмыс істей ме, тексерулер қандай қатемен аяқталады: {backOffice}/invariants',
  },
  invariants: kkInvariants.invariant_names,
  partnerOwes: 'Кезең соңындағы сальдо: серіктестің платформаға берешегі {closing}.',
  weOwe: 'Кезең соңындағы сальдо: платформаның серіктеске берешегі {closing}.',
  sales: 'Кезеңдегі сатылым: {sales}, қайтарылған ақша: {refunds}.',
  due: 'Кезең үшін төленуге тиіс: {due}, оның төленгені: {paid} ({payment}).',
  paymentStatuses: kkBackOffice.payment_statuses,
  openCases: 'Кезеңдегі ашық жағдайлар: {cases}, тәуекелде: {atRisk}.',
  noOpenCases: 'Кезеңде ашық жағдай жоқ.',
  parties: { buyer: 'сатып алушыларда', platform: 'платформада', partner: 'серіктесте' },
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
    current_period: 'Draft statement of the current period',
    last_period: 'Settlement statement of the last period',
    defects: 'Defects of payments and confirms',
  },
  report: {
    subject: '{report}, {period} · {partner}',
    lead: 'Attached is a scheduled report. {report}, {period}, {partner}.',
  },
  failed: {
    subject: 'Report failed: {report} · {partner}',
    lead: 'The report “{report}” ({partner}) could not be made, code {code}. Ask {asker} about it.',
  },
  alert: {
    subject: 'Confirms rejected because of our error: {count} · {partner}',
    lead: 'We answered confirms of {partner} with an error or not at all, and the orders are not paid: {orders}. The buyers may have been charged. While the payment window is open, ask the partner to repeat the confirm; after it, this is a case with the platform at fault. The list: {backOffice}',
  },
  invariant: {
    subject: 'An invariant is broken: {invariant}',
    lead: 'The check of the data has found rows that must not exist: “{invariant}”. What was found, and what to do: {backOffice}/invariants',
  },
  unchecked: {
    subject: 'Invariants have not been checked for long',
    lead: 'The data should have been checked and were not for more than an hour: nobody would notice what is broken now. Whether a worker has the queue invariants, and with what error checks fail: {backOffice}/invariants',
  },
  invariants: enInvariants.invariant_names,
  partnerOwes: 'Closing balance: the partner owes the platform {closing}.',
  weOwe: 'Closing balance: the platform owes the partner {closing}.',
  sales: 'Sales of the period: {sales}, refunds: {refunds}.',
  due: 'Due for the period: {due}, paid of it: {paid} ({payment}).',
  paymentStatuses: enBackOffice.payment_statuses,
  openCases: 'Open cases of the period: {cases}, at risk: {atRisk}.',
  noOpenCases: 'The period has no open cases.',
  parties: { buyer: 'buyers', platform: 'the platform', partner: 'the partner' },
  file: 'File: {name}, {size} MB. SHA-256: {sha256}',
  tooLarge:
    'The file {name} ({size} MB) is too large for an e-mail, so it is not attached. Ask {asker} for it.',
  ask: 'Questions about the document: {asker}.',
  automatic: 'This e-mail was sent automatically.',
}

export const MAIL_WORDS: Record<Language, MailWords> = { ru, kk, en }
