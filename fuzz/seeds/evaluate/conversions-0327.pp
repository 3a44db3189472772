$e = Error('msg','kind','code',{a=>1})
[$e.msg,$e.kind,$e.issue_code,$e.details]