/** Recalls what the user stated in earlier messages: “What is my name?” */
import type {Prompt} from './prompt.ts';
import {type Fact, findFacts, findKept} from './remember.ts';
import type {Answer} from './rule.ts';

const questionPattern =
	/\b(?:what(?:['’]s| is| are| was| were)|do you (?:know|remember)|tell me|who is|which is)\s+(my|the|your)?\s*([\p{L}][\p{L}\d'’ -]{0,60}?)(?: called| again| i (?:told|gave|asked)[^?\n]*)?\s*\?*$/iu;
const nameQuestionPattern = /\bwho am i\b|\bwhat am i called\b/i;
const keptPattern =
	/\bwhat\b[^?\n]{0,60}\b(?:did|do|should) (?:i|you)\b[^?\n]{0,60}\b(?:remember|keep in mind|memori[sz]e)\b/i;

export function recallFact({question, earlier}: Prompt): Answer | undefined {
	const said = earlier.filter(({role}) => role === 'user').map(({text}) => text);
	if (keptPattern.test(question)) return recallKept(said);
	const subject = readSubject(question);
	if (subject === undefined) return undefined;
	const facts = said.flatMap(findFacts);
	const fact = facts.findLast((candidate) => isAbout(candidate, subject.name));
	if (fact !== undefined) {
		const whose = subject.isMine ? 'Your' : 'The';
		return {
			text: `${whose} ${subject.name} is ${fact.value}.`,
			essence: fact.value,
			reasons: [
				`The prompt asks for the ${subject.name}.`,
				`An earlier message says: ${fact.value}.`,
			],
		};
	}
	if (!subject.isMine) return undefined;
	return {
		text: `You have not told me your ${subject.name} in this conversation.`,
		essence: 'unknown',
		reasons: [`The prompt asks for the ${subject.name}.`, 'No earlier message states it.'],
	};
}

function readSubject(
	question: string,
): {readonly name: string; readonly isMine: boolean} | undefined {
	if (nameQuestionPattern.test(question)) return {name: 'name', isMine: true};
	const [, owner, name] = questionPattern.exec(question) ?? [];
	if (name === undefined || owner === undefined || owner.toLowerCase() === 'your') return undefined;
	return {name: name.toLowerCase(), isMine: owner.toLowerCase() === 'my'};
}

function isAbout(fact: Fact, name: string): boolean {
	return fact.subject === name || fact.subject.endsWith(` ${name}`);
}

function recallKept(said: readonly string[]): Answer {
	const kept = said.map(findKept).filter((text) => text !== undefined);
	const facts = said.flatMap(findFacts).map(({subject, value}) => `${subject}: ${value}`);
	const all = kept.length > 0 ? kept : facts;
	const reasons = [`The prompt asks what to remember; ${all.length} earlier statements fit.`];
	if (all.length === 0) return {text: 'Nothing so far in this conversation.', reasons};
	return {text: all.join('\n'), essence: all.at(-1) ?? '', reasons};
}
