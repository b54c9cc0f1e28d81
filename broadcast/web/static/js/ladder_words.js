// What a row of a ladder says of its team: the browser's twin of teams/web/ladder_words.py, from the same phrases.

import { phrase } from './dom.js';

/** `Dec 3, 19:30` in the club's time. */
export function timeText(at, words) {
  if (!at) return '';
  const locale = words.language === 'zh' ? 'zh-CN' : 'en-US';
  const day = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: words.zone });
  const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: words.zone });
  return `${day.format(new Date(at))}, ${hour.format(new Date(at))}`;
}

/** `Dec 3, 2026` in the club's time. */
export function dayText(at, words) {
  const locale = words.language === 'zh' ? 'zh-CN' : 'en-US';
  const options = { year: 'numeric', month: 'short', day: 'numeric', timeZone: words.zone };
  return new Intl.DateTimeFormat(locale, options).format(new Date(at));
}

/** Pieces `{text, path}` of a row of the ladder's JSON at a moment in milliseconds. */
export function rowNews(row, now, words) {
  const news = [];
  if (row.challenge) news.push(challengeNews(row, now, words));
  if (row.more) news.push({ text: phrase(words.more, { number: row.more }) });
  if (row.state === 'leaving') news.push({ text: words.leaving });
  for (const [code, name] of [['rests', 'rests_until'], ['immune', 'immune_until'], ['waits', 'waits_until']]) {
    if (row[name] && Date.parse(row[name]) > now) news.push({ text: phrase(words[code], { until: timeText(row[name], words) }) });
  }
  return news;
}

function challengeNews(row, now, words) {
  const { challenge } = row;
  const challenges = challenge.challenger.id === row.team.id;
  const team = (challenges ? challenge.defender : challenge.challenger).name;
  let path = `/challenges/${challenge.id}`;
  let until = challenge.deadline;
  let code = challenges ? 'challenges' : 'challenged';
  if (challenge.state === 'playing') {
    code = Date.parse(challenge.starts_at ?? '') > now && !challenge.has_begun ? 'plays_on' : 'plays';
    if (code === 'plays_on') until = challenge.starts_at;
    else path = `/matches/${challenge.match}`;
  } else if (challenge.state === 'accepted') {
    if (challenge.dates.length) code = challenges ? 'chooses' : 'awaits_choice';
    else code = challenges ? 'awaits_dates' : 'offers';
  }
  return { text: phrase(words[code], { team, until: timeText(until, words) }), path };
}

/** A move of the history as a piece of a sentence. */
export function moveSentence(move, words) {
  const values = { team: move.team.name, before: move.from, after: move.to, rung: move.to ?? move.from };
  const code =
    move.from === null ? 'enters' : move.to === null ? 'left' : move.to === move.from ? 'stays' : move.to < move.from ? 'climbs' : 'falls';
  const cause = words.causes[move.cause];
  return phrase(words.moves[code], values) + (cause ? `, ${cause}` : '');
}
