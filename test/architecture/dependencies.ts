import ts from 'typescript';

export interface Dependencies {
  readonly className: string;
  readonly count: number;
}

/** The classes of a source file that get anything injected: parameters of the constructor and properties with `@Inject`. */
export function dependenciesIn(source: string): Dependencies[] {
  // Most files have none, and need not be parsed.
  if (!/\bconstructor\(|@Inject\b/.test(source)) return [];
  const found: Dependencies[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isClassLike(node)) {
      const count = node.members.reduce((sum, member) => sum + countOf(member), 0);
      if (count > 0) found.push({ className: node.name?.text ?? 'class without a name', count });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('file.ts', source, ts.ScriptTarget.Latest));
  return found;
}

function countOf(member: ts.ClassElement): number {
  if (ts.isConstructorDeclaration(member)) return member.parameters.length;
  if (!ts.isPropertyDeclaration(member)) return 0;
  const decorators = ts.getDecorators(member) ?? [];
  return decorators.some(isInject) ? 1 : 0;
}

function isInject({ expression }: ts.Decorator): boolean {
  const name = ts.isCallExpression(expression) ? expression.expression : expression;
  return ts.isIdentifier(name) && name.text === 'Inject';
}
