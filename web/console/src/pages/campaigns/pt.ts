export const campaignsPt = {
  title: 'Campanhas',
};
