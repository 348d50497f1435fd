/** A conversation as one HTML file for any browser: no scripts, and nothing is fetched. */
import {type CheckedQuotation, lineOfQuotation} from '../../chat/checked-quotation.ts';
import {type AnswerMessage, hasAnswer, type Turn} from '../../chat/conversation.ts';
import type {AssistantMessage, MediaPart, ToolOutputPart} from '../../chat/message.ts';
import type {Attachment} from '../../chat/prompt.ts';
import {pagesOf, type Source} from '../../chat/source.ts';
import {
	compactionsAfter,
	type ExportedCompaction,
	type ExportedSession,
} from './exported-session.ts';
import {escapeAttribute, escapeText, writeImage} from './html-text.ts';
import {writeCode, writeLink, writeMarkdownHtml} from './markdown-html.ts';
import {pageStyle} from './page-style.ts';

const policy =
	"default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

export function writeHtml({id, title, created, model, conversation}: ExportedSession): string {
	const {system, turns} = conversation;
	const date = new Date(created).toISOString();
	const about = [model, `${date.slice(0, 10)} ${date.slice(11, 16)} UTC`, id ?? ''];
	const sections = [
		...(system === '' ? [] : [writeSection('system', 'System', writePlain(system))]),
		...turns.flatMap((turn) => [
			...writeTurn(turn, model),
			...compactionsAfter(turn, conversation).map(writeCompaction),
		]),
	];
	return `<!doctype html>
<html>
<head>
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeAttribute(title)}</title>
<style>
${pageStyle}
</style>
</head>
<body>
<h1 dir="auto">${escapeText(title)}</h1>
<p dir="auto">${escapeText(about.filter((text) => text !== '').join(' · '))}</p>
${sections.join('')}</body>
</html>`;
}

function writeSection(role: string, heading: string, content: string): string {
	return `<section class="${role}">\n<h2>${heading}</h2>\n${content}</section>\n`;
}

/** Says what requests had from there on, for the turns above. */
function writeCompaction({compaction: {kind, text}, heading}: ExportedCompaction): string {
	if (kind === 'summary') return writeSection('system', heading, writeMarkdownHtml(text));
	const left =
		kind === 'omission' ? 'Left out of requests.' : 'Large results left out of requests.';
	return writeSection('system', heading, writePlain(left));
}

function writePlain(text: string): string {
	return text === '' ? '' : `<div class="plain" dir="auto">${escapeText(text)}</div>\n`;
}

/** @param summary HTML */
function writeDetails(summary: string, content: string): string {
	return `<details>\n<summary>${summary}</summary>\n${content}</details>\n`;
}

function writeTurn(turn: Turn, sessionModel: string): readonly string[] {
	const {prompt, messages, status, quotations} = turn;
	const attachments = prompt.attachments.map(writeAttachment).join('');
	const isUnanswered = !hasAnswer(turn) && status !== 'complete';
	return [
		writeSection('user', 'User', `${attachments}${writePlain(prompt.text)}`),
		...messages.map((message) => writeMessage(message, sessionModel)),
		...writeQuotations(quotations),
		...(isUnanswered ? [`<p><small>${status}, without an answer</small></p>\n`] : []),
	];
}

function writeMessage(message: AnswerMessage, sessionModel: string): string {
	if (message.role === 'tool') {
		const {isError, parts} = message;
		const content = parts.map(writeOutput).join('');
		const summary = isError ? 'Result (failed)' : 'Result';
		return writeSection('tool', 'Tool', writeDetails(summary, content));
	}
	const {model, status, parts, sources = []} = message;
	const notes = [model === sessionModel ? '' : model, status === 'complete' ? '' : status];
	const note = escapeText(notes.filter((text) => text !== '').join(', '));
	const heading = note === '' ? 'Assistant' : `Assistant <small dir="auto">(${note})</small>`;
	return writeSection('assistant', heading, parts.map(writePart).join('') + writeSources(sources));
}

function writePart(part: AssistantMessage['parts'][number]): string {
	switch (part.type) {
		case 'text':
			return writeMarkdownHtml(part.text);
		case 'refusal':
			return writePlain(part.text);
		case 'reasoning':
			return part.text === '' ? '' : writeDetails('Reasoning', writePlain(part.text));
		case 'tool-call': {
			const {name} = part.call;
			return writeDetails(`Call of <bdi>${escapeText(name)}</bdi>`, writeCode(part.call.arguments));
		}
		default:
			return part satisfies never;
	}
}

function writeSources(sources: readonly Source[]): string {
	const items = pagesOf(sources).map(({url, title = url}) => {
		return `<li>${writeLink(`<bdi>${escapeText(title)}</bdi>`, title, url)}</li>\n`;
	});
	return items.length === 0 ? '' : `<ol>\n${items.join('')}</ol>\n`;
}

function writeQuotations(quotations: readonly CheckedQuotation[] = []): readonly string[] {
	if (quotations.length === 0) return [];
	const items = quotations.map((each) => `<li>${escapeText(lineOfQuotation(each))}</li>\n`);
	return [`<ul dir="auto">\n${items.join('')}</ul>\n`];
}

function writeOutput(part: ToolOutputPart): string {
	switch (part.type) {
		case 'text':
			return writeCode(part.text);
		case 'json':
			return writeCode(JSON.stringify(part.value, undefined, 2));
		case 'image':
			return writeMedia(part, 'image');
		default:
			return part satisfies never;
	}
}

function writeAttachment(attachment: Attachment): string {
	const {name} = attachment;
	if (attachment.type !== 'file') return writeMedia(attachment.part, name);
	return writeDetails(`File <bdi>${escapeText(name)}</bdi>`, writeCode(attachment.text));
}

/** PDFs and recordings are only named. */
function writeMedia(part: MediaPart, name: string): string {
	const label = `<bdi>${escapeText(name)}</bdi>`;
	if (part.type !== 'image') return `<p>${part.type}: ${label}</p>\n`;
	const image = writeImage(part.url, name);
	return `<p>${image ?? `image: ${writeLink(label, name, part.url)}`}</p>\n`;
}
