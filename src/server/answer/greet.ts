/** Greets back. */
import {selfDescription} from './identity.ts';
import type {Prompt} from './prompt.ts';
import type {Answer} from './rule.ts';

const greetingPattern =
	/^(hi|hiya|hello|hey|yo|howdy|greetings|good (?:morning|afternoon|evening|day)|hallo|guten (?:tag|morgen|abend)|hola|bonjour|salut|ciao|olá|hej|namaste|привет|こんにちは|你好|안녕하세요)(?:[\s,]+(?:there|world|again|all|everyone|chat|you))?[\s!.?,👋]*$/iu;

const farewellPattern =
	/^(bye|goodbye|see you|good night|thanks|thank you|thx|danke|merci|gracias)\b[\p{L} ]{0,20}[\s!.]*$/iu;

export function greet({question, attached, files, attachments}: Prompt): Answer | undefined {
	if (attached !== '' || files.length + attachments.length > 0) return undefined;
	const greeting = greetingPattern.exec(question)?.[1];
	if (greeting !== undefined) return answerGreeting(greeting);
	const farewell = farewellPattern.exec(question)?.[1];
	if (farewell === undefined) return undefined;
	const isThanks = /^(?:th|danke|merci|gracias)/i.test(farewell);
	const text = isThanks ? 'You are welcome.' : 'Goodbye!';
	return {text, essence: text, reasons: [`The prompt is a parting word, “${farewell}”.`]};
}

function answerGreeting(greeting: string): Answer {
	const word = `${greeting.charAt(0).toUpperCase()}${greeting.slice(1)}`;
	return {
		text: `${word}! ${selfDescription} Try “what is 17 * 23?”, “show me every Markdown construct”, or pipe in a file and ask me to count its lines.`,
		essence: `${word}!`,
		reasons: [`The prompt is a greeting, “${greeting}”.`],
	};
}
