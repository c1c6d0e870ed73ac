export const knowledgePt = {
  title: 'Conhecimento',
};
